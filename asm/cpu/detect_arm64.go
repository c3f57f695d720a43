//go:build !purego

package cpu

// detect returns a constant, because Go runs on no arm64 processor without Advanced SIMD.
func detect() Set { return extASIMD }
