package fphash

import (
	"fmt"

	"simhashkit/asm/cpu"
)

// Kernel returns the name of the active kernel: the fastest that can run here, unless the
// environment variable FPHASH_KERNEL or SetKernel caps it. The kernels are generic everywhere, neon
// on arm64, and avx2, avx512 and avx512gfni if the processor has them; cpu.Supported of package
// asm/cpu lists them. All kernels give the same bits.
func Kernel() string { return cpu.Active().String() }

// SetKernel caps the kernel for the whole process from now on. An operation without a kernel of
// that name uses its fastest one below. It is meant for tests, measurements and doubts about a
// processor. The error says why a kernel cannot run here; the cap then stays as it was.
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
