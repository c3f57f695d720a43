package fphash

import (
	"fmt"

	"simhashkit/asm/cpu"
)

// Kernel returns the name of the active kernel: the fastest that can run here, unless the
// environment variable FPHASH_KERNEL or SetKernel caps it. There is generic everywhere, neon on
// arm64, and avx2, avx512 and avx512gfni where the processor has them, which cpu.Supported of
// package asm/cpu lists. All of them give the same bits.
func Kernel() string { return cpu.Active().String() }

// SetKernel caps the kernel that is used from now on, in the whole process; an operation that has
// none of that name uses its fastest below. It is meant for tests, measurements and doubts about a
// processor. The error says why a kernel cannot run here, and the cap is then left as it was.
func SetKernel(name string) error {
	t, err := cpu.ParseTier(name)
	if err == nil {
		_, err = cpu.SetTier(t)
	}
	if err != nil {
		return fmt.Errorf("fphash: %w", err)
	}
	return nil
}
