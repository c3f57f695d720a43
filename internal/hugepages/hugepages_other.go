//go:build !linux

package hugepages

// Advise has an effect only on Linux.
func Advise([]byte) {}

// Make behaves like make; it requests huge pages only on Linux.
func Make[T uint16 | uint32 | uint64](n int) []T { return make([]T, n) }
