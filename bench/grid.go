package bench

import (
	"fmt"
	"slices"

	"simhashkit/asm/cpu"
	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/fphash"
	_ "simhashkit/fphash/families" // all hashes are measured
)

// part is a part of the grid: all combinations of its lists.
type part struct {
	kind      string
	hashes    []string
	families  []fphash.Family // of the hashes, looked up
	encodings []fphash.Encoding
	weights   []string
	bits      []int
	sizes     []int // nnz, or n
	kernels   pick
	data      bool   // on the data set in place of sizes
	order     string // sequential, in Accumulate; "" for the usual one
	fit       bool   // Sketch of hashes that are narrower than bits at their own width
	small     bool   // integer weights within ±127, in Accumulate
	cpus      []int  // Sketch of a batch by that many workers; none: one vector after the other
	vectors   []int  // how many the batches have
	layout    string // of HammingScan
	queries   int    // of HammingScan, at the same time; 0: one
}

// pick says which of an op's kernels a part of the grid has.
type pick uint8

const (
	every     pick = iota // naive or library, and every tier
	ends                  // naive or library, generic, and the fastest tier
	tiersOnly             // every tier
	fastest               // the fastest tier
)

// familyNames lists the hashes to choose among: not identity, which is for features that are hashes
// already, and would win among those.
func familyNames() []string {
	var names []string
	for _, f := range fphash.Families() {
		if f.Name != "identity" {
			names = append(names, f.Name)
		}
	}
	return names
}

// timed lists the cases to be timed that the options choose, every name once. Kernels above the
// active tier are not among them.
func (o Options) timed() (cases []Case, err error) {
	if err := cpu.Check(); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	g := grid{Options: o, most: cpu.Active(), seen: map[string]bool{}}
	if err := o.check(g.most); err != nil {
		return nil, err
	}
	parts, err := o.parts()
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		p.hashes = choose(o.Hashes, p.hashes)
		p.encodings = choose(o.Encodings, p.encodings)
		p.weights = o.types(p.weights)
		p.bits = choose(o.Bits, p.bits)
		if p.kind == terms.Accumulate || p.kind == terms.Sketch {
			p.sizes = choose(o.NNZ, p.sizes)
		}
		for _, name := range p.hashes {
			family, err := timedFamily(name)
			if err != nil {
				return nil, fmt.Errorf("bench: %w", err)
			}
			p.families = append(p.families, family)
		}
		g.add(p)
	}
	return g.cases, nil
}

// types returns the types of weight of a part; of what is asked for, kinds of weights have no
// types.
func (o Options) types(usual []string) []string {
	if len(o.Weights) == 0 || len(usual) == 0 {
		return usual
	}
	return slices.DeleteFunc(slices.Clone(o.Weights), func(w string) bool { return !slices.Contains(datasets.WeightTypes(), w) })
}

type grid struct {
	Options
	most  cpu.Tier // the active tier: nothing above it is timed
	cases []Case
	seen  map[string]bool
}

func (g *grid) add(p part) {
	switch p.kind {
	case terms.Hash:
		g.addHashes(p)
	case terms.Accumulate:
		g.addAccumulates(p)
	case terms.Sketch:
		g.addSketches(p)
	case terms.HammingScan:
		g.addScans(p)
	case terms.MemoryRead:
		g.addReads(p)
	}
}

// variants returns the kernels to time of an op, slowest first: the others, then the tiers that
// have a kernel in the table.
func (g *grid) variants(p part, table []cpu.Kernel, others ...string) []variant {
	tiers := tiersOf(g.most, table)
	if p.kernels == ends && len(g.Kernels) == 0 && len(tiers) > 2 {
		tiers = []cpu.Tier{tiers[0], tiers[len(tiers)-1]}
	}
	if p.kernels == fastest && len(g.Kernels) == 0 {
		tiers = tiers[len(tiers)-1:]
	}
	var list []variant
	for _, name := range others {
		if p.kernels < tiersOnly || slices.Contains(g.Kernels, name) {
			list = append(list, variant{name, cpu.Generic})
		}
	}
	for _, t := range tiers {
		list = append(list, variant{t.String(), t})
	}
	if len(g.Kernels) > 0 {
		list = slices.DeleteFunc(list, func(v variant) bool { return !slices.Contains(g.Kernels, v.kernel) })
	}
	return list
}

// variant is a kernel's name and the tier to run it at.
type variant struct {
	kernel string
	tier   cpu.Tier
}

// put adds the case unless it is there already or not wanted.
func (g *grid) put(c Case) {
	name := c.Name.String()
	if g.seen[name] || !g.Matches(name) {
		return
	}
	g.seen[name] = true
	g.cases = append(g.cases, c)
}
