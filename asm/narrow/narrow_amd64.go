//go:build !purego

package narrow

import "simhashkit/asm/cpu"

var int32Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

func int32At(tier cpu.Tier, dst []int32, src []int64) bool {
	sameLength(len(dst), len(src))
	head, beyond := 0, uint64(0)
	if tier >= cpu.AVX2 {
		head = len(src) &^ 7
		beyond = int32AVX2(dst[:head], src[:head])
	}
	return (beyond|int32Generic(dst[head:], src[head:]))>>32 == 0
}
