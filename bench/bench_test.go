package bench

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/asm/cpu"
	"simhashkit/asm/hamming"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
)

// The benchmarks are the cases of all suites, with the same names as in result files.

func BenchmarkHash(b *testing.B)        { benchmark(b, terms.Hash) }
func BenchmarkAccumulate(b *testing.B)  { benchmark(b, terms.Accumulate) }
func BenchmarkSketch(b *testing.B)      { benchmark(b, terms.Sketch) }
func BenchmarkHammingScan(b *testing.B) { benchmark(b, terms.HammingScan) }
func BenchmarkMemoryRead(b *testing.B)  { benchmark(b, terms.MemoryRead) }
func BenchmarkDistance(b *testing.B)    { benchmark(b, terms.Distance) }
func BenchmarkSearch(b *testing.B)      { benchmark(b, terms.Search) }

// Loading the data set takes longer than most benchmarks, and fphash ab starts a process for each
// run. So only benchmarks that need the data set load it.
var (
	inputsWithout = sync.OnceValue(func() *inputs { return newInputs(nil) })
	inputsWith    = sync.OnceValues(func() (*inputs, error) {
		data, err := LoadData(context.Background(), datasets.GoSourceName, datasets.ReadOptions{})
		return newInputs(data), err
	})
)

func inputsOf(b *testing.B, c timedCase) *inputs {
	name := c.Name.Get("data")
	if name == "" {
		return inputsWithout()
	}
	in, err := inputsWith()
	if err != nil {
		b.Fatal(err)
	}
	if in.data.Name != name {
		b.Skipf("%s is not available", name)
	}
	return in
}

func benchmark(b *testing.B, kind string) {
	var cases []timedCase
	for _, suite := range Suites() {
		more, err := casesOf(Options{Suite: suite, Data: DataName(datasets.GoSourceName)})
		if err != nil {
			b.Fatal(err)
		}
		cases = append(cases, more...)
	}
	seen := map[string]bool{}
	for _, c := range cases {
		name := c.Name.String()
		if c.Name.Base != kind || seen[name] {
			continue
		}
		seen[name] = true
		var t *trial // shared by all samples of the process
		b.Run(strings.TrimPrefix(c.Name.String(), c.Name.Base+"/"), func(b *testing.B) {
			if t == nil {
				in := inputsOf(b, c)
				var err error
				if t, err = c.ready(in); err != nil {
					b.Fatal(err)
				}
			}
			if t.loop == nil {
				b.Skip("needs too much memory")
			}
			leave, err := c.enter()
			if err != nil {
				b.Fatal(err)
			}
			defer leave()
			b.ResetTimer()
			t.loop(b.N)
			b.StopTimer()
			b.ReportMetric(0, "ns/op") // operations differ in size, so ns/op would mislead
			b.ReportMetric(figure(c.Unit, t.per, b.N, b.Elapsed()), c.Unit)
			for _, f := range t.facts {
				b.ReportMetric(f.value, f.unit)
			}
		})
	}
}

// order is the order of keys in benchmark names. It must never change.
var order = map[string][]string{
	terms.Hash:        {"hash", "encoding", "kernel", "n"},
	terms.Accumulate:  {"weights", "f", "kernel", "order", "range", "nnz"},
	terms.Sketch:      {"hash", "method", "dimensions", "weights", "f", "kernel", "encoding", "cpus", "vectors", "data", "nnz"},
	terms.HammingScan: {"layout", "f", "k", "kernel", "queries", "n"},
	terms.MemoryRead:  {"n"},
	terms.Distance:    {"method", "f", "differing"},
	terms.Search:      {"method", "f", "k", "tables", "permutations", "data", "n"},
}

func names(t *testing.T, o Options) []string {
	t.Helper()
	cases, err := casesOf(o)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, c := range cases {
		list = append(list, c.Name.String())
	}
	return list
}

// everySuite returns options for each suite, with and without Full.
func everySuite() (list []Options) {
	for _, suite := range Suites() {
		list = append(list, Options{Suite: suite, Data: "go-source"}, Options{Suite: suite, Full: true, Data: "go-source"})
	}
	return list
}

func TestNames(t *testing.T) {
	for _, o := range everySuite() {
		cases, err := casesOf(o)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, c := range cases {
			if seen[c.Name.String()] {
				t.Errorf("%s is listed twice", c.Name)
			}
			seen[c.Name.String()] = true
			at := -1
			for _, k := range c.Name.Keys {
				i := slices.Index(order[c.Name.Base], k.Key)
				if i <= at {
					t.Errorf("%s: key %s is out of order", c.Name, k.Key)
				}
				at = i
			}
			if last := c.Name.Keys[len(c.Name.Keys)-1].Key; last != order[c.Name.Base][len(order[c.Name.Base])-1] {
				t.Errorf("%s ends with the key %s", c.Name, last)
			}
		}
	}
}

// These names are used in older result files, so they must not change.
func TestFrozenNames(t *testing.T) {
	got := names(t, Options{Data: "go-source"})
	for _, want := range []string{
		"Hash/hash=xxh64/encoding=le64/kernel=generic/n=1024",
		"Hash/hash=md5/encoding=le64/kernel=library/n=1024",
		"Accumulate/weights=f32/f=64/kernel=generic/nnz=100",
		"Accumulate/weights=unit/f=64/kernel=naive/nnz=1000",
		"Sketch/hash=xxh64/weights=f32/f=64/kernel=generic/nnz=100",
		"Sketch/hash=xxh64/weights=f32/f=64/kernel=generic/data=go-source/nnz=mixed",
		"HammingScan/layout=plain/f=64/k=3/kernel=generic/n=1000000",
		"MemoryRead/n=1000000",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("the default suite lacks %s", want)
		}
	}
}

// maxDefault limits the number of cases in the default suite.
var maxDefault = 80 + 5*len(fphash.Families())

// The limit must also hold on a processor with all tiers, so the test counts the cases that are
// missing here.
func TestDefaultGridIsBounded(t *testing.T) {
	here := len(names(t, Options{Data: "go-source"}))
	if here > maxDefault {
		t.Errorf("%d cases here, at most %d wanted", here, maxDefault)
	}
	missing := 0 // cases that cannot run here, in the parts with all kernels
	count := func(cases int, table []cpu.Tier) {
		// a table has one kernel per tier
		missing += cases * (len(table) - len(tiersOf(cpu.Active(), table)))
	}
	for _, f := range fphash.Families() {
		count(1, hashTable(f.Name))
	}
	for _, w := range []string{"unit", "f32"} {
		count(3, kernelsOf(w))
	}
	for _, w := range []string{"i32", "i64", "f64"} {
		count(1, kernelsOf(w))
	}
	count(2, hamming.Kernels("scan"))
	if len(cpu.Supported()) == 1 {
		missing += 2 + 6 + 2 // in parts with kernels "ends": the fastest kernel here is generic
	}
	if here+missing > maxDefault {
		t.Errorf("%d cases with every kernel, at most %d wanted", here+missing, maxDefault)
	}
	t.Logf("%d cases here, %d with every kernel", here, here+missing)
}

func TestOptionsChoose(t *testing.T) {
	for _, tc := range []struct {
		name    string
		options Options
		want    []string
	}{
		{"sizes", Options{NNZ: []int{7, 9}, Weights: []string{"i64"}, Kernels: []string{"naive"}, Match: regexp.MustCompile("^Accumulate")}, []string{
			"Accumulate/weights=i64/f=64/kernel=naive/nnz=7", "Accumulate/weights=i64/f=64/kernel=naive/nnz=9",
			"Accumulate/weights=i64/f=256/kernel=naive/nnz=7", "Accumulate/weights=i64/f=256/kernel=naive/nnz=9",
		}},
		{"hashes and encodings", Options{Hashes: []string{"md5", "sha1", "splitmix64"}, Kernels: []string{"library", "generic"}, Encodings: []fphash.Encoding{fphash.BE64, fphash.Dec}, Match: regexp.MustCompile("BenchmarkHash/")}, []string{
			"Hash/hash=md5/encoding=be64/kernel=library/n=1024", "Hash/hash=md5/encoding=be64/kernel=generic/n=1024", "Hash/hash=md5/encoding=dec/kernel=library/n=1024",
			"Hash/hash=sha1/encoding=be64/kernel=library/n=1024", "Hash/hash=sha1/encoding=be64/kernel=generic/n=1024", "Hash/hash=sha1/encoding=dec/kernel=library/n=1024",
		}},
		{"encoding in Sketch, width", Options{Hashes: []string{"md5"}, Encodings: []fphash.Encoding{fphash.Dec}, Bits: []int{100}, Kernels: []string{"naive"}, Weights: []string{"unit"}, Data: "d", Match: regexp.MustCompile("Sketch.*(nnz=32|mixed)")}, []string{
			"Sketch/hash=md5/weights=unit/f=100/kernel=naive/encoding=dec/nnz=32", "Sketch/hash=md5/weights=unit/f=100/kernel=naive/encoding=dec/data=d/nnz=mixed",
		}},
		{"no sketch is wider than its hash", Options{Hashes: []string{"xxh64", "md5", "crc32c"}, Bits: []int{64, 65}, Kernels: []string{"naive"}, Weights: []string{"unit"}, Data: "d", Match: regexp.MustCompile("Sketch.*mixed")}, []string{
			"Sketch/hash=xxh64/weights=unit/f=64/kernel=naive/data=d/nnz=mixed", "Sketch/hash=md5/weights=unit/f=64/kernel=naive/data=d/nnz=mixed", "Sketch/hash=md5/weights=unit/f=65/kernel=naive/data=d/nnz=mixed",
		}},
		{"library does not mean naive", Options{Hashes: []string{"xxh64"}, Kernels: []string{"library"}}, []string{"Hash/hash=xxh64/encoding=le64/kernel=library/n=1024"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, names(t, tc.options)); diff != "" {
				t.Errorf("cases (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoDataNoCases(t *testing.T) {
	plan, err := NewPlan(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if plan.NeedData() {
		t.Error("there is a case on a data set, but no data set")
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, tc := range []struct {
		options Options
		want    string
	}{
		{Options{Suite: "kernel"}, `unknown suite "kernel"; the suites are default, kernels, hashes`},
		{Options{Hashes: []string{"xxh65"}}, `did you mean "xxh64"`},
		{Options{Kernels: []string{"avx3"}}, `unknown kernel "avx3"; the kernels are naive, library, generic`},
		{Options{Weights: []string{"f16"}}, `unknown weights "f16"; expected unit, i32`},
		{Options{Bits: []int{0}}, "width of 0 bits, expected 1 to 4096"},
		{Options{Bits: []int{4097}}, "width of 4097 bits"},
		{Options{NNZ: []int{0}}, "vectors of 0 features"},
		{Options{Match: regexp.MustCompile("nothing is called this")}, "no benchmark matches"},
	} {
		if _, err := casesOf(tc.options); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: error %v, want one with %q", tc.options, err, tc.want)
		}
	}
}

func TestKernelsAboveTheCapAreLeftOut(t *testing.T) {
	former, err := cpu.SetTier(cpu.Generic)
	if err != nil {
		t.Fatal(err)
	}
	defer cpu.SetTier(former)
	for _, name := range names(t, Options{Full: true}) {
		if strings.Contains(name, "kernel=avx") {
			t.Errorf("%s is above the cap", name)
		}
	}
	if _, err := casesOf(Options{Kernels: []string{"avx2"}}); err == nil {
		t.Error("a kernel above the cap is accepted")
	}
}

// In the default suite, sketches use the generic and the fastest kernel. Other tiers must be
// requested.
func TestSketchesHaveTheFastestKernel(t *testing.T) {
	tiers := tiersOf(cpu.Active(), kernelsOf("f32"))
	want := []string{"naive", "generic"}
	if best := tiers[len(tiers)-1]; best != cpu.Generic {
		want = append(want, best.String())
	}
	kernels := func(o Options) (list []string) {
		cases, err := casesOf(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			list = append(list, c.Name.Get("kernel"))
		}
		return list
	}
	o := Options{Match: regexp.MustCompile("Sketch/hash=xxh64/weights=f32/.*nnz=100$")}
	if diff := cmp.Diff(want, kernels(o)); diff != "" {
		t.Errorf("kernels (-want +got):\n%s", diff)
	}
	for _, tier := range tiers {
		o.Kernels = []string{tier.String()}
		if diff := cmp.Diff(o.Kernels, kernels(o)); diff != "" {
			t.Errorf("asked for %v (-want +got):\n%s", tier, diff)
		}
	}
}

// casesOf returns the cases that the options select.
func casesOf(o Options) ([]timedCase, error) {
	p, err := NewPlan(o)
	if err != nil {
		return nil, err
	}
	return p.cases, nil
}

// runPlain runs the cases and returns their rows.
func runPlain(ctx context.Context, cases []timedCase, in *inputs, o RunOptions) ([]resultfile.Row, error) {
	return runCases(ctx, cases, in, o)
}
