//go:build (amd64 || arm64) && !purego

package hamming

import (
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/kernels"
)

func TestTablesAreAsTheAssembly(t *testing.T) {
	kernels.CheckTables(t, map[string][]cpu.Kernel{"near": nearKernels, "planes": planesKernels, "scan": scanKernels, "split": splitKernels, "read": readKernels})
}
