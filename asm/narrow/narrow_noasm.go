//go:build !amd64 || purego

package narrow

import "simhashkit/asm/cpu"

var int32Kernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func int32At(_ cpu.Tier, dst []int32, src []int64) bool {
	sameLength(len(dst), len(src))
	return int32Generic(dst, src)>>32 == 0
}
