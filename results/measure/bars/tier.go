package main

import (
	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/results/measure/evidence"
)

// atTier returns the row of that name or, where the name's kernel is a tier that has no row, the
// row of the best tier below: ops that have no kernel of their own at a tier use the one below, and
// have no row then.
func atTier(index evidence.Index, name benchname.Name, unit string) (resultfile.Summary, bool) {
	tier, err := cpu.ParseTier(name.Get("kernel"))
	if err != nil {
		return index.Get(name, unit)
	}
	for ; ; tier = tier.Below() {
		if r, ok := index.Get(name.With("kernel", tier.String()), unit); ok || tier == cpu.Generic {
			return r, ok
		}
	}
}
