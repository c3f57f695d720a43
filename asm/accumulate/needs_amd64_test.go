//go:build !purego

package accumulate

import (
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/assembly"
)

// What each kernel says it needs is what its assembly uses, and no more than its tier has.
func TestNeedsAreWhatTheAssemblyRequires(t *testing.T) {
	tables := map[string][]cpu.Kernel{}
	for _, k := range F32Kernels() {
		tables["f32"] = append(tables["f32"], k.Kernel)
	}
	for _, k := range UnitKernels() {
		tables["unit"] = append(tables["unit"], k.Kernel)
	}
	for _, k := range I32Kernels() {
		tables["i32"] = append(tables["i32"], k.Kernel)
	}
	for _, k := range I64Kernels() {
		tables["i64"] = append(tables["i64"], k.Kernel)
	}
	for _, k := range F64Kernels() {
		tables["f64"] = append(tables["f64"], k.Kernel)
	}
	for op, kernels := range tables {
		for _, k := range kernels {
			if k.Name != k.Tier.String() {
				t.Errorf("%s: kernel %s is of tier %v", op, k.Name, k.Tier)
			}
			if k.Tier == cpu.Generic {
				continue
			}
			functions, err := assembly.Read(op + "_" + k.Name + "_amd64.s")
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
}
