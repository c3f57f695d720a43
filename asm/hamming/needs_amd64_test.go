//go:build !purego

package hamming

import (
	"path/filepath"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/assembly"
)

func tables() map[string][]cpu.Kernel {
	tables := map[string][]cpu.Kernel{}
	for _, k := range ScanKernels() {
		tables["scan"] = append(tables["scan"], k.Kernel)
	}
	for _, k := range SplitKernels() {
		tables["split"] = append(tables["split"], k.Kernel)
	}
	for _, k := range ReadKernels() {
		tables["read"] = append(tables["read"], k.Kernel)
	}
	return tables
}

// What each kernel says it needs is what its assembly uses, and no more than its tier has; and
// every file of assembly belongs to a kernel.
func TestNeedsAreWhatTheAssemblyRequires(t *testing.T) {
	files, err := filepath.Glob("*_amd64.s")
	if err != nil || len(files) == 0 {
		t.Fatal("no assembly found", err)
	}
	belongs := map[string]bool{}
	for op, kernels := range tables() {
		for i, k := range kernels {
			if k.Name != k.Tier.String() {
				t.Errorf("%s: kernel %s is of tier %v", op, k.Name, k.Tier)
			}
			if i > 0 && k.Tier >= kernels[i-1].Tier {
				t.Errorf("%s: kernel %s stands behind %s", op, k.Name, kernels[i-1].Name)
			}
			if k.Tier == cpu.Generic {
				continue
			}
			path := op + "_" + k.Name + "_amd64.s"
			belongs[path] = true
			functions, err := assembly.Read(path)
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
			if !k.Tier.Needs().Has(k.Needs) {
				t.Errorf("%s, %s needs %v, more than its tier has", op, k.Name, k.Needs&^k.Tier.Needs())
			}
		}
	}
	for _, path := range files {
		if !belongs[path] {
			t.Errorf("%s belongs to no kernel of a table", path)
		}
	}
}
