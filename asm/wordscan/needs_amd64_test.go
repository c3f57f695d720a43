//go:build !purego

package wordscan

import (
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/kernels"
)

func TestTablesAreAsTheAssembly(t *testing.T) {
	kernels.CheckTables(t, map[string][]cpu.Kernel{"masks": masksKernels, "lower": lowerKernels, "xxh64": xxh64Kernels})
}
