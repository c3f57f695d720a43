//go:build (!amd64 && !arm64) || purego

package cpu

// detect returns the empty set: without assembly there are only the generic kernels.
func detect() Set { return 0 }
