//go:build !purego

package projections

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
)

// What each kernel says it needs is what its assembly uses.
func TestNeedsAreWhatTheAssemblyRequires(t *testing.T) {
	everywhere := map[string]bool{"CMOV": true, "MMX+": true} // on every amd64 processor
	requires := regexp.MustCompile(`(?m)^// Requires: (.*)$`)
	for _, k := range rowsKernels() {
		if k.Tier == cpu.Generic {
			continue
		}
		text, err := os.ReadFile("rows_" + k.Name + "_amd64.s")
		if err != nil {
			t.Fatal(err)
		}
		var needs cpu.Set
		for _, list := range requires.FindAllSubmatch(text, -1) {
			for name := range strings.SplitSeq(string(list[1]), ", ") {
				extension, ok := cpu.Extension(name)
				if !ok && !everywhere[name] {
					t.Errorf("%s: no tier asks for %s", k.Name, name)
				}
				needs |= extension
			}
		}
		if needs == 0 || needs != k.Needs {
			t.Errorf("%s: the table says %v, the assembly requires %v", k.Name, k.Needs, needs)
		}
	}
}
