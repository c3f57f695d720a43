//go:build !purego

package projection

import (
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/assembly"
)

// What each kernel says it needs is what its assembly uses, and no more than its tier has.
func TestNeedsAreWhatTheAssemblyRequires(t *testing.T) {
	for i, k := range sketchKernels {
		if k.Name != k.Tier.String() || i > 0 && k.Tier >= sketchKernels[i-1].Tier {
			t.Errorf("kernel %s is of tier %v, or stands behind a slower one", k.Name, k.Tier)
		}
		if k.Tier == cpu.Generic {
			continue
		}
		functions, err := assembly.Read("sketch_" + k.Name + "_amd64.s")
		if err != nil {
			t.Fatal(err)
		}
		var requires cpu.Set
		for _, f := range functions {
			requires |= f.Requires
		}
		if requires != k.Needs || !k.Tier.Needs().Has(k.Needs) {
			t.Errorf("%s: the table says %v, the assembly requires %v", k.Name, k.Needs, requires)
		}
	}
}
