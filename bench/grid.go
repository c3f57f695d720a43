package bench

import (
	"errors"
	"fmt"
	"slices"

	"simhashkit/asm/cpu"
	"simhashkit/fphash"
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
	data      bool // on the data set in place of sizes
}

// pick says which of an op's kernels the grid has; naive and library are always among them.
type pick uint8

const (
	every pick = iota
	ends       // the fastest, and generic
)

func defaultParts() []part {
	le64, f64 := []fphash.Encoding{fphash.LE64}, []int{64}
	all := familyNames()
	return []part{
		{kind: Hash, hashes: all, encodings: le64, sizes: []int{1024}},
		{kind: Accumulate, weights: []string{"unit", "f32"}, bits: f64, sizes: []int{32, 100, 1000}},
		{kind: Accumulate, weights: []string{"i32", "i64", "f64"}, bits: f64, sizes: []int{100}},
		{kind: Accumulate, weights: []string{"unit", "f32"}, bits: []int{256}, sizes: []int{100}, kernels: ends},
		{kind: Sketch, hashes: []string{"xxh64"}, encodings: le64, weights: []string{"unit", "f32"}, bits: f64, sizes: []int{32, 100, 1000}, kernels: ends},
		{kind: Sketch, hashes: []string{"xxh64"}, encodings: le64, weights: []string{"unit"}, bits: f64, kernels: ends, data: true},
		{kind: Sketch, hashes: all, encodings: le64, weights: []string{"f32"}, bits: f64, kernels: ends, data: true},
		{kind: HammingScan, sizes: []int{10_000, 1_000_000}},
		{kind: MemoryRead, sizes: []int{10_000, 1_000_000}},
	}
}

func fullParts() []part {
	encodings, bits := []fphash.Encoding{fphash.LE64, fphash.BE64, fphash.Dec}, []int{64, 128, 256}
	all := familyNames()
	return []part{
		{kind: Hash, hashes: all, encodings: encodings, sizes: []int{16, 1024}},
		{kind: Accumulate, weights: Weights(), bits: []int{64, 128, 256, 1024}, sizes: []int{16, 32, 64, 100, 128, 1000, 8192}},
		{kind: Sketch, hashes: all, encodings: encodings, weights: Weights(), bits: bits, sizes: []int{32, 100, 1000}},
		{kind: Sketch, hashes: all, encodings: encodings, weights: []string{"unit", "f32"}, bits: bits, data: true},
		{kind: HammingScan, sizes: []int{10_000, 100_000, 1_000_000, 10_000_000}},
		{kind: MemoryRead, sizes: []int{10_000, 100_000, 1_000_000, 10_000_000}},
	}
}

func familyNames() []string {
	var names []string
	for _, f := range fphash.Families() {
		names = append(names, f.Name)
	}
	return names
}

// Grid lists the cases that the options choose, every name once. Kernels above the active tier are not among them. It is an error if an option names something
// that does not exist or cannot run here, or if nothing is left.
func Grid(o Options) ([]Case, error) {
	if err := cpu.Check(); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	g := grid{Options: o, most: cpu.Active(), seen: map[string]bool{}}
	if err := o.check(g.most); err != nil {
		return nil, err
	}
	parts := defaultParts()
	if o.Full {
		parts = fullParts()
	}
	for _, p := range parts {
		p.hashes = choose(o.Hashes, p.hashes)
		p.encodings = choose(o.Encodings, p.encodings)
		p.weights = choose(o.Weights, p.weights)
		p.bits = choose(o.Bits, p.bits)
		if p.kind == Accumulate || p.kind == Sketch {
			p.sizes = choose(o.NNZ, p.sizes)
		}
		for _, name := range p.hashes {
			family, err := fphash.Lookup(name)
			if err != nil {
				return nil, fmt.Errorf("bench: %w", err)
			}
			p.families = append(p.families, family)
		}
		g.add(p)
	}
	if len(g.cases) == 0 {
		return nil, errors.New("bench: no case is left: what was asked for does not go together (a hash narrower than the width, a kernel that no op has), or no name matches")
	}
	return g.cases, nil
}

type grid struct {
	Options
	most  cpu.Tier // the active tier: nothing above it is timed
	cases []Case
	seen  map[string]bool
}

func (g *grid) add(p part) {
	switch p.kind {
	case Hash:
		g.addHashes(p)
	case Accumulate:
		g.addAccumulates(p)
	case Sketch:
		g.addSketches(p)
	case HammingScan:
		g.addScans(p)
	case MemoryRead:
		g.addReads(p)
	}
}

// variants returns the kernels to time of an op, slowest first: the others, then the tiers that have a kernel in the table.
func (g *grid) variants(p part, table []cpu.Kernel, others ...string) []variant {
	tiers := tiersOf(g.most, table)
	if p.kernels == ends && len(g.Kernels) == 0 && len(tiers) > 2 {
		tiers = []cpu.Tier{tiers[0], tiers[len(tiers)-1]}
	}
	var list []variant
	for _, name := range others {
		list = append(list, variant{name, cpu.Generic})
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
	if g.seen[name] || !g.matches(name) {
		return
	}
	g.seen[name] = true
	g.cases = append(g.cases, c)
}
