//go:build !amd64 || purego

package hamming

// ReadKernels returns the implementations of Read, fastest first, generic last.
func ReadKernels() []ReadKernel { return []ReadKernel{readGenericKernel} }

// Read reads all words and returns their exclusive or: what a scan costs when it does nothing but
// read, the roof that scans are measured against.
func Read(words []uint64) uint64 { return readGeneric(words) }
