package kernels

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/assembly"
)

// CheckTables holds the tables of the package under test to its assembly, by what the names of an
// op's files begin with: a kernel needs what its file requires and no more than its tier has, every
// file belongs to a kernel, and the fastest kernel comes first, the generic one last.
func CheckTables(t *testing.T, tables map[string][]cpu.Kernel) {
	t.Helper()
	suffix := "_" + runtime.GOARCH + ".s"
	files, err := filepath.Glob("*" + suffix)
	if err != nil || len(files) == 0 {
		t.Fatal("no assembly found", err)
	}
	for op, table := range tables {
		for i, k := range table {
			if k.Name != k.Tier.String() {
				t.Errorf("%s: kernel %s is of tier %v", op, k.Name, k.Tier)
			}
			if i > 0 && k.Tier >= table[i-1].Tier {
				t.Errorf("%s: kernel %s stands behind %s", op, k.Name, table[i-1].Name)
			}
			if !k.Tier.Needs().Has(k.Needs) {
				t.Errorf("%s, %s needs %v, more than its tier has", op, k.Name, k.Needs&^k.Tier.Needs())
			}
			if k.Tier == cpu.Generic {
				continue
			}
			functions, err := assembly.Read(op + "_" + k.Name + suffix)
			if err != nil {
				t.Fatal(err)
			}
			var requires cpu.Set
			for _, f := range functions {
				requires |= f.Requires
			}
			if requires != k.Needs {
				t.Errorf("%s, %s: the table says %v, the assembly requires %v", op, k.Name, k.Needs, requires)
			}
		}
		if last := table[len(table)-1]; last != cpu.KernelAt(cpu.Generic, 0) {
			t.Errorf("%s: the last kernel is %+v, not the generic one", op, last)
		}
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, suffix)
		cut := strings.LastIndex(name, "_")
		if !slices.ContainsFunc(tables[name[:cut]], func(k cpu.Kernel) bool { return k.Name == name[cut+1:] }) {
			t.Errorf("%s belongs to no kernel of a table", file)
		}
	}
}
