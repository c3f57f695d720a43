package accumulate

import "simhashkit/asm/cpu"

// Narrow stores the low 32 bits of each weight of src in dst, and reports whether all weights fit
// int32. It panics if the lengths differ.
func Narrow(dst []int32, src []int64) bool { return narrowOf(cpu.Active(), dst, src) }

// narrowOf is Narrow at a tier. Kernels convert a multiple of eight elements.
func narrowOf(tier cpu.Tier, dst []int32, src []int64) bool {
	if len(dst) != len(src) {
		panic("accumulate: destination and source differ in length")
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
