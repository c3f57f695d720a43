//go:build !purego

package hashing

import (
	"path/filepath"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/assembly"
)

// What each kernel says it needs is what its file of assembly uses, and no more than its tier has;
// and every file of assembly belongs to a kernel.
func TestNeedsAreWhatTheAssemblyRequires(t *testing.T) {
	files, err := filepath.Glob("*_amd64.s")
	if err != nil || len(files) == 0 {
		t.Fatal("no assembly found", err)
	}
	belongs := map[string]bool{}
	for _, o := range ops {
		for i, k := range o.kernels {
			if k.Name != k.Tier.String() {
				t.Errorf("%s: kernel %s is of tier %v", o.name, k.Name, k.Tier)
			}
			if i > 0 && k.Tier >= o.kernels[i-1].Tier {
				t.Errorf("%s: kernel %s stands behind %s", o.name, k.Name, o.kernels[i-1].Name)
			}
			if k.Tier == cpu.Generic {
				continue
			}
			path := o.file + "_" + k.Name + "_amd64.s"
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
				t.Errorf("%s, %s: the table says %v, the assembly requires %v", o.name, k.Name, k.Needs, requires)
			}
			if !k.Tier.Needs().Has(k.Needs) {
				t.Errorf("%s, %s needs %v, more than its tier has", o.name, k.Name, k.Needs&^k.Tier.Needs())
			}
		}
	}
	for _, path := range files {
		if !belongs[path] {
			t.Errorf("%s belongs to no kernel of a table", path)
		}
	}
}

// The lengths at which the dispatch changes kernels are among those that TestBetweenGuardPages
// takes, one below and one above included.
func TestCutoffsAreCovered(t *testing.T) {
	for _, cutoff := range []int{leastSplitMix64AVX512, leastSplitMix64AVX2, leastXXH64AVX512, leastXXH64AVX2, leastFNVAVX512, leastFNVAVX2, leastMD5AVX2,
		leastMD5CounterAVX512, leastMD5CounterAVX2, leastSHA1AVX512, leastSHA1AVX2, leastSHA1CounterAVX512, leastSHA1CounterAVX2,
		leastSHA256AVX512, leastSHA256AVX2, leastSHA256CounterAVX512, leastSHA256CounterAVX2} {
		if cutoff < 1 || cutoff+1 > 140 {
			t.Errorf("a cut-off at %d keys is outside the lengths that are always tested", cutoff)
		}
	}
}
