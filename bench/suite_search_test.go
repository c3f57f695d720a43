package bench

import (
	"context"
	"fmt"
	"iter"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
)

// The rows that the speed table of searches is made of, under the names that they keep.
func TestSearchSuite(t *testing.T) {
	o := Options{Suite: SuiteSearch, Kernels: []string{"generic"}, AnyCores: true}
	got := names(t, o)
	o.Full = true
	full := names(t, o)
	for _, want := range []string{
		"Build/index=blocks/f=64/k=3/kernel=generic/n=1000000",
		"Build/index=auto/f=64/k=3/kernel=generic/cpus=2/n=1000000",
		"Query/index=scan/f=64/k=3/kernel=generic/n=10000",
		"Query/index=manku20/f=64/k=3/kernel=generic/n=1000000",
		"Query/index=blocks/f=64/k=3/kernel=generic/queries=1000/n=1000000",
		"Query/index=blocks/f=64/k=8/kernel=generic/n=1000000",
		"Query/index=auto/f=128/k=3/kernel=generic/n=1000000",
		"Pairs/index=blocks/f=64/k=3/kernel=generic/n=1000000",
		"Pairs/index=blocks/f=64/k=3/kernel=generic/cpus=2/n=1000000",
		"Pairs/index=scan/f=64/k=3/kernel=generic/n=100000",
		"Groups/index=blocks/f=64/k=3/kernel=generic/n=1000000",
		"Groups/index=blocks/f=64/k=3/kernel=generic/pattern=skewed/n=1000000",
	} {
		if !slices.Contains(got, want) || !slices.Contains(full, want) {
			t.Errorf("the suite lacks %s", want)
		}
	}
	for _, want := range []string{
		"Query/index=blocks/f=64/k=3/kernel=generic/n=10000000",
		"Build/index=blocks/f=64/k=3/kernel=generic/cpus=2/n=50000000",
		"Pairs/index=blocks/f=64/k=3/kernel=generic/cpus=2/n=100000000",
	} {
		if slices.Contains(got, want) || !slices.Contains(full, want) {
			t.Errorf("%s: expected it in the full suite alone", want)
		}
	}
	_, err := index.Build(&index.Set{Bits: 64}, index.Options{Structure: "none"})
	_, structures, _ := strings.Cut(fmt.Sprint(err), "expected one of ")
	if !strings.Contains(structures, "auto, scan, ") {
		t.Fatal(err)
	}
	for _, n := range []string{"10000", "100000", "1000000"} {
		for structure := range strings.SplitSeq(structures, ", ") {
			if name := "Query/index=" + structure + "/f=64/k=3/kernel=generic/n=" + n; !slices.Contains(got, name) {
				t.Errorf("the suite lacks %s", name)
			}
		}
		if latency := "MemoryLatency/n=" + n; !slices.Contains(names(t, Options{Suite: SuiteSearch}), latency) {
			t.Errorf("the suite lacks %s", latency)
		}
	}
	twoCores := Options{Suite: SuiteSearch, Match: regexp.MustCompile("^Pairs.*cpus=2")}
	if cases, err := casesOf(twoCores); (err == nil && len(cases) > 0) != (runtime.GOMAXPROCS(0) >= 2) {
		t.Errorf("%d cases of two cores on %d, error %v", len(cases), runtime.GOMAXPROCS(0), err)
	}
}

// Of the kernels there is the fastest of this machine, and the others for the asking.
func TestSearchSuiteHasTheFastestKernel(t *testing.T) {
	tiers := tiersOf(cpu.Active(), searchKernels())
	want := tiers[len(tiers)-1].String()
	for _, name := range names(t, Options{Suite: SuiteSearch, Match: regexp.MustCompile("kernel=")}) {
		if !strings.Contains(name, "/kernel="+want+"/") {
			t.Errorf("%s, expected kernel %s alone", name, want)
		}
	}
}

// searchesOn are the searches of a suite on smaller collections.
func searchesOn(t *testing.T, n int, match string) []Case {
	t.Helper()
	g := grid{Options: Options{Match: regexp.MustCompile(match), AnyCores: true}, most: cpu.Active(), seen: map[string]bool{}}
	for _, p := range largeSearches() {
		p.sizes = []int{n}
		g.add(p)
	}
	for _, p := range searchParts() {
		p.sizes = []int{n}
		g.add(p)
	}
	if len(g.cases) == 0 {
		t.Fatalf("no case matches %s", match)
	}
	return g.cases
}

// Every search gives the right answers and figures; builds give their memory besides, which is the
// same in every run.
func TestEverySearchRuns(t *testing.T) {
	const n = 4000
	cases := searchesOn(t, n, "")
	rows, err := runPlain(context.Background(), cases, NewInputs(nil), RunOptions{Samples: 1, SampleTime: 1})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for i, r := range rows {
		kinds[r.Name[:strings.Index(r.Name, "/")]+" "+r.Unit]++
		if r.Err != "" || len(r.Samples) != 1 || i < len(cases) && r.Name != cases[i].Name.String() {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	for _, kind := range []string{"Build ns/op", "Build bytes/entry", "Query ns/query", "Pairs ns/op", "Groups ns/op", "MemoryLatency ns/read"} {
		if kinds[kind] == 0 {
			t.Errorf("no rows of %s: %v", kind, kinds)
		}
	}
	blocks := slices.IndexFunc(rows, func(r resultfile.Row) bool {
		return r.Unit == terms.BytesPerEntry && strings.HasPrefix(r.Name, "Build/index=blocks/f=64/k=3/")
	})
	if blocks < 0 || rows[blocks].Samples[0].Value < 4*8 || rows[blocks].Samples[0].Value > 4*12 {
		t.Errorf("memory of four tables: %+v, expected 32 to 48 bytes an entry", rows[max(blocks, 0)])
	}
}

// Files say of memory that it is exact, and of times that they are not.
func TestCountedUnitsAreExact(t *testing.T) {
	p := &Plan{Cases: searchesOn(t, 1000, "^Build/index=(blocks|split)/f=64/k=3/kernel=[a-z0-9]*/n=")}
	out, err := p.Run(context.Background(), NewInputs(nil), RunOptions{Samples: 1, SampleTime: 1})
	if err != nil {
		t.Fatal(err)
	}
	exact := map[string]bool{}
	for _, u := range out.Units {
		exact[u.Name] = u.Exact
	}
	if len(exact) != 2 || !exact[terms.BytesPerEntry] || exact[terms.NanosecondsPerOperation] {
		t.Errorf("units %+v", out.Units)
	}
}

// The inputs of a stage are dropped when it ends: two stages never find those of each other.
func TestStagesShareNoInputs(t *testing.T) {
	var inputs []*Inputs
	prepare := func(in *Inputs) (*trial, error) {
		inputs = append(inputs, in)
		return &trial{per: 1, loop: func(int) {}, verify: func() error { return nil }}, nil
	}
	var cases []Case
	for _, stage := range []string{"", "a", "b", "a", ""} {
		cases = append(cases, Case{Unit: terms.NanosecondsPerKey, stage: stage, prepare: prepare})
	}
	in := NewInputs(nil)
	if _, err := runPlain(context.Background(), cases, in, RunOptions{Samples: 1, SampleTime: 1}); err != nil {
		t.Fatal(err)
	}
	first, ofA, ofB := inputs[0], inputs[2], inputs[4]
	if !slices.Equal(inputs, []*Inputs{in, in, ofA, ofA, ofB}) || first == ofA || ofA == ofB || ofB == in {
		t.Errorf("inputs %p: expected the caller's for the first two, and those of their stage for the others", inputs)
	}
}

// Before every sample of a case comes what it wants done, which is not timed.
func TestBeforeEverySample(t *testing.T) {
	var calls []string
	c := Case{Unit: terms.NanosecondsPerKey, prepare: func(*Inputs) (*trial, error) {
		note := func(what string) { calls = append(calls, what) }
		return &trial{per: 1, before: func() { note("before") }, loop: func(int) { note("loop") }, verify: func() error { return nil }}, nil
	}}
	var now time.Duration
	o := RunOptions{Samples: 2, SampleTime: 1, now: func() time.Duration { now += time.Second; return now }}
	if _, err := runPlain(context.Background(), []Case{c}, NewInputs(nil), o); err != nil {
		t.Fatal(err)
	}
	// once to calibrate
	if want := slices.Repeat([]string{"before", "loop"}, 3); !slices.Equal(calls, want) {
		t.Errorf("calls %v, want %v", calls, want)
	}
}

// blind is a structure that finds nothing.
type blind struct{ index.Structure }

func (blind) AppendWithin(dst []index.Match, _ index.Query, _ int) ([]index.Match, error) {
	return dst, nil
}

func (blind) AppendWithinBatch(dst []index.QueryMatch, _ []index.Query, _ int) ([]index.QueryMatch, error) {
	return dst, nil
}

// A wrong answer of a search is an error, whatever is wrong with it.
func TestWrongSearchesAreFound(t *testing.T) {
	in := NewInputs(nil)
	s := searchCase{kind: terms.Query, index: "scan", bits: 64, k: 3, n: 2000}
	set, err := s.set(in)
	if err != nil {
		t.Fatal(err)
	}
	q, err := s.questions(in)
	if err != nil {
		t.Fatal(err)
	}
	structure, err := s.structure(in)
	if err != nil {
		t.Fatal(err)
	}
	check := func(name string, err error, good bool) {
		t.Helper()
		if (err == nil) != good || err != nil && !strings.HasPrefix(err.Error(), "wrong answer: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	check("queries", q.askEach(structure, 3), true)
	check("batch", q.askTogether(structure, set, 3), true)
	check("blind", q.askEach(blind{structure}, 3), false)
	check("blind batch", q.askTogether(blind{structure}, set, 3), false)

	all := slices.Collect(func(yield func(join.Pair) bool) {
		for p := range set.scanned() {
			if !yield(p) {
				return
			}
		}
	})
	pairs := func(list []join.Pair) iter.Seq2[join.Pair, error] {
		return func(yield func(join.Pair, error) bool) {
			for _, p := range list {
				if !yield(p, nil) {
					return
				}
			}
		}
	}
	check("pairs", set.checkPairs(pairs(all)), true)
	check("a pair missing", set.checkPairs(pairs(all[1:])), false)
	check("a pair twice", set.checkPairs(pairs(append(all[:1:1], all...))), false)
	check("a stranger", set.checkPairs(pairs(append(all[:1:1], join.Pair{A: 1000, B: 1001, Distance: 3}))), false)
	wrong := slices.Clone(all)
	wrong[5].Distance++
	check("a wrong distance", set.checkPairs(pairs(wrong)), false)

	s.skewed = true
	skewed, err := s.set(in)
	if err != nil {
		t.Fatal(err)
	}
	groups := func(set *searchSet, k int) *join.Groups {
		g, err := (&join.Join{Set: set.Set, K: k}).Groups(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	check("groups", skewed.checkGroups(groups(skewed, 3)), true)
	check("groups of less", skewed.checkGroups(groups(skewed, 0)), false)
	check("groups of more", skewed.checkGroups(groups(skewed, 20)), false)
	skewed.Words[s.n-1] = ^skewed.Words[s.n-1]
	check("a tight group without one of its own", skewed.checkGroups(groups(skewed, 3)), false)
}

// A ring is one way round, and it is found out where it is not.
func TestRing(t *testing.T) {
	places := ring(1000)
	if err := latencyTrial(places).verify(); err != nil {
		t.Error(err)
	}
	places[0], places[500] = places[500], places[0] // two rings
	if err := latencyTrial(places).verify(); err == nil {
		t.Error("two rings are taken for one")
	}
}

// Nobody is asked for twice.
func TestStrangersDoNotReturn(t *testing.T) {
	s := newStrangers(&searchSet{Set: &index.Set{Bits: 128}})
	seen := map[[2]uint64]bool{}
	for range 3 {
		for range 1000 {
			words := s.take(1)[0].Words
			seen[[2]uint64(words)] = true
		}
		for _, q := range s.take(queriesOfBatch) {
			seen[[2]uint64(q.Words)] = true
		}
	}
	if len(seen) != 6000 {
		t.Errorf("%d different ones of 6000", len(seen))
	}
}
