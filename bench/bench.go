// Package bench measures hash functions and kernels: hashing, accumulating, whole sketches and
// Hamming scans, on vectors of fixed sizes and on real vectors. It also measures the quality of the
// hashes.
//
// A case is one benchmark. [NewPlan] lists the cases that the options select. [Plan.Run] checks and
// times them. Package resultfile writes
// every sample in Go benchmark format. The command go test -bench . -cpu 1 ./bench runs the same
// cases.
//
// A benchmark is also a test. Before the timing, each hash family must reproduce its verification
// code, and each case must give the same answers as a simple oracle. A case that fails gets a row
// with an error instead of measurements.
//
// These are the values of the key kernel= in names:
//
//   - generic, avx2 and so on: the tier of package cpu to which all kernels are limited while the
//     case runs. Tiers for which the operation has no kernel are left out. Without a vector kernel,
//     HighwayHash calls its library, which may use assembly.
//   - library: the hash library, called with one key at a time.
//   - naive: the loop that most programs use, see package naive.
//
// A cell is computed, not timed: the quality of a hash with one encoding on vectors with one
// pattern of indices and one kind of weights, see package quality. Its results are the same in
// every run and on every machine. The verdict is 1 for good, 0 for undecided, -1 for weak. Cells
// run after the cases because they use all cores. The default data set has no cells because the Go
// sources change with each Go version.
//
// A suite is a set of cases and cells that answers one question; see [Suites].
//
// Integer weights are within ±100,000 (int32) or ±10^12 (int64); with range=small, they are within
// ±127. Floating-point weights are from 1 to 32. With order=sequential, features are added one by
// one instead of in groups of four. weights=set is MinHash, which computes minima instead of sums
// and has no naive loop.
//
// A case with cpus= in its name sketches a batch in one call with that many workers; all others run
// on one core. The batch has 160,000 vectors unless the name contains vectors=. In Hash and
// Accumulate, the features fit into the L1 cache. HammingScan collections of 2 MB and more use huge
// pages if the system provides them.
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
	"simhashkit/datasets"
	"simhashkit/fphash"
	_ "simhashkit/fphash/families" // all hashes are measured
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/gobench/benchname"
)

// Plan lists the cases to time and the cells to compute.
type Plan struct {
	suite suite
	cases []timedCase
	cells []cell
}

// NewPlan returns the cases and cells that the options select. It fails if an option is invalid, if
// a kernel cannot run here, or if nothing is selected.
func NewPlan(o Options) (*Plan, error) {
	s, err := suiteOf(o.Suite)
	if err != nil {
		return nil, err
	}
	if err := cpu.Check(); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	g := grid{Options: o, most: cpu.Active(), seen: map[string]bool{}}
	if err := o.check(g.most); err != nil {
		return nil, err
	}
	for _, p := range s.operations(o) {
		if err := p.addTo(&g); err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
	}
	p := &Plan{s, g.cases, g.cells}
	if len(p.cases)+len(p.cells) == 0 {
		return nil, errors.New("bench: no benchmark matches these flags: no name matches, a hash is narrower than the width, or no operation has the kernel")
	}
	return p, nil
}

// Names returns the names of all cases and cells, in the order in which they run.
func (p *Plan) Names() []string {
	return append(namesOf(p.cases, func(c timedCase) string { return c.Name.String() }), namesOf(p.cells, func(c cell) string { return c.Name.String() })...)
}

// Timed reports whether there are cases to time.
func (p *Plan) Timed() bool { return len(p.cases) > 0 }

// NeedData reports whether a case or a cell needs the data set.
func (p *Plan) NeedData() bool {
	return slices.ContainsFunc(p.cases, func(c timedCase) bool { return c.Name.Get("data") != "" }) ||
		slices.ContainsFunc(p.cells, func(c cell) bool { return c.workload.Pattern == terms.Data })
}

// Run checks and times the cases, then computes the cells. data may be nil if [Plan.NeedData] is
// false; the names of cases have its name. A case or cell that cannot run or gives a wrong answer
// gets a row with an error. Run fails if ctx is cancelled. While it runs, it changes the kernels
// that the whole process uses.
func (p *Plan) Run(ctx context.Context, data *Data, r RunOptions) ([]resultfile.Row, error) {
	in, cases := newInputs(data), slices.Clone(p.cases)
	for i, c := range cases {
		if data != nil {
			cases[i].Name = c.Name.With("data", data.Name)
		}
	}
	r.Samples, r.SampleTime = cmp.Or(r.Samples, p.suite.samples), cmp.Or(r.SampleTime, p.suite.sampleTime)
	timed, err := runCases(ctx, cases, in, r)
	if err != nil || r.OnlyTimes {
		return timed, err
	}
	computed, err := runCells(ctx, p.cells, in, 0, r.report)
	if err != nil {
		return nil, err
	}
	return append(timed, computed...), nil
}

// Options selects cases and cells. The zero value selects the default suite. A non-empty list
// replaces the suite's own list, wherever the suite has such a list.
type Options struct {
	Suite     string            // name of the suite, see Suites; "": default
	Full      bool              // more combinations and sizes; in the default suite, all suites
	Hashes    []string          // names of registered families
	Encodings []fphash.Encoding // encodings in Hash, Sketch and cells
	Kernels   []string          // naive, library and tiers; if set, there are no cells
	Bits      []int             // widths in Accumulate, Sketch and cells
	NNZ       []int             // features per vector, except of the data set
	Weights   []string          // types or kinds of weights, see AllWeights
	Sketch    string            // in the suite choose, what hashes are judged for; "": simhash
	Patterns  []string          // index patterns of cells; "data" selects the data set
	Match     *regexp.Regexp    // keeps the names that match, with or without the prefix Benchmark
	Data      string            // name of the data set; "": no case uses one
}

// check validates the options, except for hashes, which timed looks up.
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
		if !slices.Contains(terms.Patterns(), p) {
			return fmt.Errorf("bench: unknown pattern %q; expected %s", p, strings.Join(terms.Patterns(), ", "))
		}
	}
	for _, f := range o.Bits {
		if f < 1 || f > fphash.MaxBits {
			return fmt.Errorf("bench: width of %d bits, expected 1 to %d", f, fphash.MaxBits)
		}
	}
	for _, n := range o.NNZ {
		if n < 1 || n > maxNNZ {
			return fmt.Errorf("bench: vectors of %d features, expected 1 to %d", n, maxNNZ)
		}
	}
	return nil
}

// AllWeights returns the valid values of Options.Weights: types, and kinds of generated weights.
func AllWeights() []string {
	all := datasets.WeightTypes()
	for _, kind := range quality.Weights() {
		if !slices.Contains(all, kind) {
			all = append(all, kind)
		}
	}
	return all
}

func namesOf[T any](list []T, name func(T) string) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = name(v)
	}
	return out
}

// maxNNZ is the greatest valid value in Options.NNZ.
const maxNNZ = 1 << 20

// choose returns asked if neither list is empty, and usual otherwise.
func choose[T any](asked, usual []T) []T {
	if len(asked) > 0 && len(usual) > 0 {
		return asked
	}
	return usual
}

// Matches reports whether Match is nil, or matches name with or without the prefix Benchmark.
func (o Options) Matches(name string) bool {
	return o.Match == nil || o.Match.MatchString(name) || o.Match.MatchString("Benchmark"+name)
}

// operation lists the cases or cells of one operation of a suite. Its fields are parameters to
// combine, in place of which Options may request others.
type operation interface {
	addTo(g *grid) error
}

// pick selects the kernels of an operation that a part of a suite times.
type pick uint8

const (
	every     pick = iota // naive or library, and every tier
	ends                  // naive or library, generic, and the fastest tier
	tiersOnly             // every tier
	fastest               // the fastest tier
)

// familyNames lists the hashes to compare. It omits identity, which computes nothing and would win.
func familyNames() []string {
	var names []string
	for _, f := range fphash.Families() {
		if f.Name != "identity" {
			names = append(names, f.Name)
		}
	}
	return names
}

// types returns the requested types of weights, without kinds of weights, or usual if there is no
// request.
func (o Options) types(usual []string) []string {
	if len(o.Weights) == 0 || len(usual) == 0 {
		return usual
	}
	return slices.DeleteFunc(slices.Clone(o.Weights), func(w string) bool { return !slices.Contains(datasets.WeightTypes(), w) })
}

type grid struct {
	Options
	most  cpu.Tier // the active tier: no tier above it is timed
	cases []timedCase
	cells []cell
	seen  map[string]bool
}

// families returns the requested hashes, or the usual ones if there is no request.
func (g *grid) families(usual []string) (families []fphash.Family, err error) {
	for _, name := range choose(g.Hashes, usual) {
		family, err := timedFamily(name)
		if err != nil {
			return nil, err
		}
		families = append(families, family)
	}
	return families, nil
}

// variants returns the picked kernels, or the requested ones, slowest first: others, then the tiers
// of table.
func (g *grid) variants(picked pick, table []cpu.Tier, others ...string) []variant {
	tiers := tiersOf(g.most, table)
	if picked == ends && len(g.Kernels) == 0 && len(tiers) > 2 {
		tiers = []cpu.Tier{tiers[0], tiers[len(tiers)-1]}
	}
	if picked == fastest && len(g.Kernels) == 0 {
		tiers = tiers[len(tiers)-1:]
	}
	var list []variant
	for _, name := range others {
		if picked < tiersOnly || slices.Contains(g.Kernels, name) {
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

func (g *grid) put(c timedCase) {
	if g.new(c.Name) {
		g.cases = append(g.cases, c)
	}
}

// new reports whether a name was requested and is not listed yet.
func (g *grid) new(n benchname.Name) bool {
	name := n.String()
	if g.seen[name] || !g.Matches(name) {
		return false
	}
	g.seen[name] = true
	return true
}
