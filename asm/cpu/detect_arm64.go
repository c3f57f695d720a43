//go:build !purego

package cpu

// detect asks nobody: Go runs on no arm64 processor without Advanced SIMD.
func detect() Set { return ExtASIMD }
