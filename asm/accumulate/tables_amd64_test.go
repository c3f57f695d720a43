//go:build !purego

package accumulate

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
)

// TestTablesHoldEveryKernel: a kernel that is not in its table is tested by nobody, and one that is
// not available where its tier is would only be left out.
func TestTablesHoldEveryKernel(t *testing.T) {
	tables := map[string][]cpu.Kernel{"unit": nil}
	for _, k := range UnitKernels() {
		tables["unit"] = append(tables["unit"], k.Kernel)
	}
	for _, op := range weightedOps {
		tables[op.String()] = op.table()
	}
	paths, err := filepath.Glob("*_amd64.s")
	if err != nil || len(paths) == 0 {
		t.Fatal("no assembly found", err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(path, "_amd64.s")
		cut := strings.LastIndex(name, "_")
		op, tier := strings.ReplaceAll(name[:cut], "_", "-"), name[cut+1:]
		if !slices.ContainsFunc(tables[op], func(k cpu.Kernel) bool { return k.Name == tier }) {
			t.Errorf("%s: no kernel %q in the table of %s", path, tier, op)
		}
	}
	for op, table := range tables {
		for i, k := range table {
			if runs := slices.Contains(cpu.Supported(), k.Tier); runs && !k.Available() {
				t.Errorf("%s: kernel %s is not available, but tier %v is supported", op, k.Name, k.Tier)
			}
			if i > 0 && table[i-1].Tier <= k.Tier {
				t.Errorf("%s: kernel %s comes before %s", op, table[i-1].Name, k.Name)
			}
		}
		if last := table[len(table)-1]; last.Name != "generic" || last.Tier != cpu.Generic || last.Needs != 0 {
			t.Errorf("%s: the last kernel is %+v", op, last)
		}
	}
}
