// Package bench measures hash functions × kernels: hashing, accumulating, whole sketches and
// Hamming scans, on fixed sizes and on real vectors. It measures how good the hashes are, too.
//
// A [Case] is data: a name, a unit and what has to be prepared. [NewPlan] lists the cases that
// options ask for, [Plan.Run] checks and times them, and package resultfile keeps every sample in
// Go benchmark format. The same cases run as go test -bench . -cpu 1 ./bench.
//
// A benchmark is also a test. Before anything is timed, hash families must give their verification
// codes and every case the answers of a plain oracle on its own data. A case that does not gets a
// row with an error in place of figures.
//
// Kernels have these names:
//
//   - generic, neon, avx2, avx512, avx512gfni: the tier that caps everything while the case runs.
//     What a hash does there counts: without a vector kernel HighwayHash is its library, where that
//     has assembly. There is no case at a tier at which the op has no kernel of its own.
//   - library: the hash library's own call, one key at a time.
//   - naive: the loops that everyone copies, see package naive.
//
// A [Cell] is computed rather than timed: the quality of a hash under an encoding on vectors with
// one pattern of indices and one kind of weights, by package quality. Its figures are the same in
// every run on every machine; verdict is 1 for good, 0 for undecided, -1 for weak. Cells run after
// the cases, since they use all cores. There are none on the default data set: the sources of Go
// change with its version.
//
// A suite is a grid that answers one question; see [Suites].
//
// Integer weights are within ±100,000 (int32) or ±10^12 (int64), with range=small within ±127;
// floating-point ones are from 1 to 32. order=sequential sums one feature after the other in place
// of groups of four. weights=set is MinHash, whose minima stand in the place of sums; no
// hand-written loop is timed beside it.
//
// All cases run on one core but those with cpus= in their name: a batch in one call by that many
// workers, of 160,000 vectors unless vectors= says otherwise. Features lie in L1 in Hash and
// Accumulate. Collections of scans of 2 MB and more lie in huge pages where the system gives them.
package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/fphash"
	_ "simhashkit/fphash/families" // all hashes are measured
)

// Plan is everything that options ask for: cases to be timed, and cells to be computed.
type Plan struct {
	Cases []Case
	Cells []Cell
}

// NewPlan lists what options select. It fails if that does not exist, cannot run here, or is
// nothing.
func NewPlan(o Options) (*Plan, error) {
	cases, err := o.timed()
	if err != nil {
		return nil, err
	}
	p := &Plan{Cases: cases}
	if p.Cells, err = o.cells(); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if o.Widen != fphash.WidenNone && !slices.ContainsFunc(cases, func(c Case) bool { return c.Name.Get("widen") != "" }) && !slices.ContainsFunc(p.Cells, func(c Cell) bool { return c.widen != fphash.WidenNone }) {
		return nil, fmt.Errorf("bench: no sketch is widened by %v: what is left has no width beyond a hash that it suits", o.Widen)
	}
	if len(p.Cases)+len(p.Cells) == 0 {
		return nil, errors.New("bench: no benchmark matches these flags: no name matches, a hash is narrower than the width, or no operation has the kernel")
	}
	return p, nil
}

// Names returns the names of all that is planned, in the order in which it runs.
func (p *Plan) Names() []string {
	return append(namesOf(p.Cases, func(c Case) string { return c.Name.String() }), namesOf(p.Cells, func(c Cell) string { return c.Name.String() })...)
}

// NeedData reports whether anything needs the data set.
func (p *Plan) NeedData() bool {
	return slices.ContainsFunc(p.Cases, func(c Case) bool { return c.Name.Get("data") != "" }) ||
		slices.ContainsFunc(p.Cells, func(c Cell) bool { return c.pattern == quality.Data })
}

// Outcome is the result of a plan.
type Outcome struct {
	Rows  []resultfile.Row
	Units []resultfile.Unit // of the rows
}

// Run checks and times the cases, then computes the cells. What cannot run or gives a wrong answer
// has a row with an error. Run fails if the context is done before the end. While it runs it
// changes the kernels that the whole process uses.
func (p *Plan) Run(ctx context.Context, in *Inputs, r RunOptions) (*Outcome, error) {
	r.Samples, r.SampleTime = cmp.Or(r.Samples, DefaultSamples), cmp.Or(r.SampleTime, DefaultSampleTime)
	if r.Progress == nil {
		r.Progress = func(Progress) {}
	}
	out := &Outcome{}
	var exact []string // units
	if len(p.Cases) > 0 {
		rows, err := runCases(ctx, p.Cases, in, r)
		if err != nil {
			return nil, err
		}
		out.Rows = rows
	}
	if len(p.Cells) > 0 {
		rows, err := runCells(ctx, p.Cells, in, 0, r.Progress)
		if err != nil {
			return nil, err
		}
		exact = unitsOf(rows)
		out.Rows = append(out.Rows, rows...)
	}
	out.Units = describe(out.Rows, exact)
	return out, nil
}

// Options chooses cases and cells. The zero value means the default suite. A list that is given
// replaces the grid's own list in every part of the grid that has such a choice.
type Options struct {
	Suite     string            // which grid, see Suites; "": SuiteDefault
	Full      bool              // every combination; of SuiteKernels scans that take 1.6 GB
	Hashes    []string          // names of registered families
	Encodings []fphash.Encoding // of Hash, Sketch and cells
	Kernels   []string          // naive, library, and the tiers; with these there are no cells
	Bits      []int             // widths of Accumulate, Sketch and cells
	Widen     fphash.Widen      // of sketches wider than their hash; without it there are none
	NNZ       []int             // features of a vector, in Accumulate and Sketch of fixed sizes
	Weights   []string          // types, or kinds of generated weights, see AllWeights
	Patterns  []quality.Pattern // of indices, in cells; quality.Data for those on the data set
	Match     *regexp.Regexp    // keeps the cases with such names; Benchmark may stand before
	Data      string            // name of the data set; "": no cases on one
}

// check checks the values that users can misspell, except for hashes, which timed looks up.
func (o Options) check(most cpu.Tier) error {
	for _, name := range o.Kernels {
		if err := checkKernel(name, most); err != nil {
			return err
		}
	}
	for _, name := range o.Weights {
		if !slices.Contains(AllWeights(), name) {
			return fmt.Errorf("bench: unknown weights %q; expected %s", name, strings.Join(AllWeights(), ", "))
		}
	}
	for _, p := range o.Patterns {
		if !slices.Contains(PatternNames(), string(p)) {
			return fmt.Errorf("bench: unknown pattern %q; expected %s", string(p), strings.Join(PatternNames(), ", "))
		}
	}
	for _, f := range o.Bits {
		if f < 1 || f > fphash.MaxBits {
			return fmt.Errorf("bench: width of %d bits, expected 1 to %d", f, fphash.MaxBits)
		}
	}
	for _, n := range o.NNZ {
		if n < 1 || n > MaxNNZ {
			return fmt.Errorf("bench: vectors of %d features, expected 1 to %d", n, MaxNNZ)
		}
	}
	return nil
}

// AllWeights returns the values of Options.Weights: types, and kinds of generated weights.
func AllWeights() []string {
	all := datasets.WeightTypes()
	for _, kind := range QualityWeights() {
		if !slices.Contains(all, kind) {
			all = append(all, kind)
		}
	}
	return all
}

// PatternNames returns the values of Options.Patterns: the generated ones, and that of a data set.
func PatternNames() []string {
	return namesOf(append(quality.Patterns(), quality.Data), func(p quality.Pattern) string { return string(p) })
}

func namesOf[T any](list []T, name func(T) string) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = name(v)
	}
	return out
}

// MaxNNZ is the greatest number of features of a vector of a fixed size.
const MaxNNZ = 1 << 20

// choose returns the user's choice or the grid's; a part without such a choice has none.
func choose[T any](asked, usual []T) []T {
	if len(asked) > 0 && len(usual) > 0 {
		return asked
	}
	return usual
}

// Matches reports whether Match keeps the case called name, without the word Benchmark.
func (o Options) Matches(name string) bool {
	return o.Match == nil || o.Match.MatchString(name) || o.Match.MatchString("Benchmark"+name)
}

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

// familyNames lists the hashes to choose among: not identity, which would win among those.
func familyNames() []string {
	var names []string
	for _, f := range fphash.Families() {
		if f.Name != "identity" {
			names = append(names, f.Name)
		}
	}
	return names
}

// timed lists the cases to time, every name once; none above the active tier.
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
	return g.cases, nil
}

// types returns the types of weight of a part, and leaves out kinds of weights.
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

// variants returns the kernels of an op to time, slowest first: others, then tiers with a kernel.
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

type variant struct {
	kernel string
	tier   cpu.Tier
}

func (g *grid) put(c Case) {
	name := c.Name.String()
	if g.seen[name] || !g.Matches(name) {
		return
	}
	g.seen[name] = true
	g.cases = append(g.cases, c)
}
