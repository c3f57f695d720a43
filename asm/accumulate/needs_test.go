//go:build (amd64 || arm64) && !purego

package accumulate

import (
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/kernels"
)

func TestTablesAreAsTheAssembly(t *testing.T) {
	kernels.CheckTables(t, map[string][]cpu.Kernel{
		"f32": f32Kernels, "f64": f64Kernels, "i32": i32Kernels, "i64": i64Kernels, "unit": unitKernels, "int32": int32Kernels,
	})
}
