//go:build !purego

package cpu

import "simhashkit/asm/internal/extension"

// detect returns a constant, because Go runs on no arm64 processor without Advanced SIMD.
func detect() Set { return extension.ASIMD }
