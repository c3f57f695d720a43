// Package narrow converts integers to narrower types and reports whether all of them fit.
package narrow

import "simhashkit/asm/cpu"

// Int32 stores the low 32 bits of each element of src in dst, and reports whether all elements fit
// int32. It panics if the lengths differ.
func Int32(dst []int32, src []int64) bool { return convert(cpu.Active(), dst, src) }

// convert is Int32 at a tier. Kernels convert a multiple of eight elements.
func convert(tier cpu.Tier, dst []int32, src []int64) bool {
	if len(dst) != len(src) {
		panic("narrow: destination and source differ in length")
	}
	head := len(src) &^ 7
	beyond := int32At(tier, dst[:head], src[:head]) | int32Generic(dst[head:], src[head:])
	return beyond>>32 == 0
}

// int32Generic converts src. The upper half of beyond is 0 if all elements fit.
func int32Generic(dst []int32, src []int64) (beyond uint64) {
	for i, x := range src[:len(dst)] {
		dst[i] = int32(x)
		beyond |= uint64(x) + 1<<31
	}
	return beyond
}
