//go:build !purego

package wordhash

import (
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/kernels"
)

func TestTablesAreAsTheAssembly(t *testing.T) {
	kernels.CheckTables(t, map[string][]cpu.Kernel{"xxh64": xxh64Kernels})
}
