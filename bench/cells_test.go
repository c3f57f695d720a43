package bench

import (
	"context"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/gobench/benchname"
)

func cells(t *testing.T, o Options) []string {
	t.Helper()
	plan, err := NewPlan(o)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range plan.cells {
		names = append(names, c.Name.String())
	}
	return names
}

// maxDefaultCells allows two cells of simhash for each hash and encoding, and five cells of the
// other sketches for each hash, which take about half a minute on two cores.
var maxDefaultCells = (2*3 + 5) * len(fphash.Families())

func TestDefaultCellsAreBounded(t *testing.T) {
	for _, data := range []string{datasets.GoSourceName, "own.svm"} {
		n := len(cells(t, Options{Data: data}))
		if n > maxDefaultCells {
			t.Errorf("data %s: %d cells, at most %d wanted", data, n, maxDefaultCells)
		}
		t.Logf("data %s: %d cells", data, n)
	}
	t.Logf("suite hashes: %d cells, in full %d", len(cells(t, Options{Suite: "hashes"})), len(cells(t, Options{Suite: "hashes", Full: true})))
}

// The default suite covers every family with every encoding for simhash, all on the same workloads.
// For other sketches, it covers every hash that is fit for them.
func TestDefaultCellsHaveEveryHash(t *testing.T) {
	got := cells(t, Options{Data: datasets.GoSourceName})
	cases := map[string]int{}
	of := 0
	for _, name := range got {
		if !strings.Contains(name, "/sketch=") && !strings.Contains(name, "/method=") {
			cases[name[strings.Index(name, "/pattern="):strings.Index(name, "/f=")]]++
			of++
		}
	}
	for name, n := range cases {
		if n*len(cases) != of {
			t.Errorf("%d of %d cells have%s, more or fewer than the other workloads", n, of, name)
		}
	}
	for _, f := range fphash.Families() {
		if f.Name == "identity" {
			continue
		}
		for cell, wanted := range map[string]bool{
			"/encoding=le64/pattern=consecutive/weights=unit/sketch=minhash/":               f.Bits >= 64,
			"/encoding=le64/pattern=consecutive/weights=unit/sketch=hashing/buckets=1024/f": true,
			"/pattern=words/weights=unit/sketch=hashing/buckets=1024/f":                     !f.Integer,
			"/pattern=words/weights=unit/sketch=minhash/f=64":                               !f.Integer && f.Bits >= 64,
		} {
			if has := slices.ContainsFunc(got, func(name string) bool { return strings.HasPrefix(name, "Quality/hash="+f.Name+cell) }); has != wanted {
				t.Errorf("%s%s: in the grid %v, want %v", f.Name, cell, has, wanted)
			}
		}
	}
	for _, f := range fphash.Families() {
		for _, e := range []string{"le64", "be64", "dec"} {
			wanted := (!f.Integer || e == "le64") && f.Name != "identity" // see familyNames
			has := slices.ContainsFunc(got, func(name string) bool { return strings.HasPrefix(name, "Quality/hash="+f.Name+"/encoding="+e+"/") })
			if has != wanted {
				t.Errorf("%s with %s: in the grid %v, want %v", f.Name, e, has, wanted)
			}
		}
	}
}

// These names are used in older result files, so they must not change.
func TestFrozenCellNames(t *testing.T) {
	for _, tc := range []struct {
		options Options
		want    string
	}{
		{Options{}, "Quality/hash=fnv1a64/encoding=dec/pattern=consecutive/weights=unit/f=64"},
		{Options{}, "Quality/hash=crc32c/encoding=le64/pattern=consecutive/weights=unit/f=32"},
		{Options{Data: "own.svm"}, "Quality/hash=md5/encoding=be64/pattern=data/weights=f32/data=own.svm/f=64"},
		{Options{Bits: []int{128}}, "Quality/hash=md5/encoding=le64/pattern=consecutive/weights=unit/f=128"},
		{Options{Suite: "hashes"}, "Quality/hash=fnv1-64/encoding=be64/pattern=bitrev/weights=unit/f=64"},
		{Options{Suite: "hashes"}, "Quality/hash=fnv1-64/pattern=fields/weights=unit/f=64"},
		{Options{Suite: "hashes"}, "Quality/hash=xxh64/encoding=dec/pattern=strided/weights=unit/sketch=minhash/f=64"},
		{Options{Suite: "hashes"}, "Quality/hash=crc32c/encoding=le64/pattern=consecutive/weights=dominated/sketch=hashing/buckets=1024/f=32"},
		{Options{Suite: "hashes"}, "Quality/hash=xxh64/pattern=wordpairs/weights=unit/sketch=hashing/buckets=262144/f=64"},
		{Options{Suite: "choose", Sketch: "hashing"}, "Quality/hash=xxh64/encoding=le64/pattern=dense1e3/weights=unit/sketch=hashing/buckets=1024/f=64"},
		{Options{Suite: "methods"}, "Quality/method=gaussian/pattern=consecutive/weights=tfidf/f=64"},
	} {
		if got := cells(t, tc.options); !slices.Contains(got, tc.want) {
			t.Errorf("%+v lacks %s", tc.options, tc.want)
		}
	}
}

func TestCellsChoose(t *testing.T) {
	one := Options{Suite: "hashes", Hashes: []string{"md5"}, Encodings: []fphash.Encoding{fphash.LE64}}
	with := func(change func(*Options)) Options {
		o := one
		change(&o)
		return o
	}
	for _, tc := range []struct {
		name    string
		options Options
		want    []string
	}{
		{"patterns", with(func(o *Options) {
			o.Patterns, o.Weights = []string{terms.Strided}, []string{"signed", "f32"}
		}), []string{
			"Quality/hash=md5/encoding=le64/pattern=strided/weights=signed/f=64"}},
		{"data and consecutive", Options{Hashes: []string{"md5"}, Encodings: []fphash.Encoding{fphash.Dec}, Data: "own.svm"}, []string{
			"Quality/hash=md5/encoding=dec/pattern=data/weights=f32/data=own.svm/f=64", "Quality/hash=md5/encoding=dec/pattern=consecutive/weights=unit/f=64"}},
		{"data only", with(func(o *Options) { o.Patterns, o.Data = []string{terms.Data}, "own.svm" }), []string{
			"Quality/hash=md5/encoding=le64/pattern=data/weights=f32/data=own.svm/f=64"}},
		{"types select only data", with(func(o *Options) { o.Weights, o.Data = []string{"f32"}, "own.svm" }), []string{
			"Quality/hash=md5/encoding=le64/pattern=data/weights=f32/data=own.svm/f=64"}},
		{"no kernels", with(func(o *Options) { o.Kernels = []string{"generic"} }), nil},
		{"none on the default data set", with(func(o *Options) { o.Patterns, o.Data = []string{terms.Data}, datasets.GoSourceName }), nil},
		{"too narrow", with(func(o *Options) { o.Bits = []int{256} }), nil},
		{"match", with(func(o *Options) { o.Match = regexp.MustCompile("^BenchmarkQuality.*pow2") }), []string{
			"Quality/hash=md5/encoding=le64/pattern=pow2/weights=unit/f=64"}},
	} {
		got := slices.DeleteFunc(cells(t, tc.options), func(name string) bool { return strings.Contains(name, "/sketch=") })
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestPlan(t *testing.T) {
	p, err := NewPlan(Options{Match: regexp.MustCompile("^Quality/hash=md5/")})
	if err != nil || len(p.cases) > 0 || len(p.cells) == 0 || p.NeedData() {
		t.Errorf("plan %v, error %v, want only cells", p, err)
	}
	if p, err = NewPlan(Options{Data: "own.svm", Patterns: []string{terms.Data}, Match: regexp.MustCompile("^Quality")}); err != nil || !p.NeedData() {
		t.Errorf("cells on data do not need data: %v", err)
	}
	for _, tc := range []struct {
		options Options
		want    string
	}{
		{Options{Patterns: []string{"stride"}}, `unknown pattern "stride"`},
		{Options{Weights: []string{"sign"}}, `unknown weights "sign"; expected unit, i32, i64, f32, f64, counts`},
		{Options{Suite: "hashes", Hashes: []string{"xxh65"}}, `did you mean "xxh64"`},
		{Options{Match: regexp.MustCompile("nothing")}, "no benchmark matches"},
		{Options{Match: regexp.MustCompile("nothing")}, "no benchmark matches"},
	} {
		if _, err := NewPlan(tc.options); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: error %v, want one with %q", tc.options, err, tc.want)
		}
	}
}

// figuresOf returns the values by unit, from the rows whose names match the regular expression
// name.
func figuresOf(t *testing.T, rows []resultfile.Row, name string) map[string]float64 {
	t.Helper()
	figures, match := map[string]float64{}, regexp.MustCompile(name)
	for _, row := range rows {
		if match.MatchString(row.Name) {
			if _, twice := figures[row.Unit]; twice {
				t.Errorf("%s has %s twice", row.Name, row.Unit)
			}
			figures[row.Unit] = row.Samples[0].Value
		}
	}
	return figures
}

// The rows contain the results of package quality, each under its own unit.
func TestCellRowsAreTheResult(t *testing.T) {
	family, err := fphash.Lookup("fnv1a64")
	if err != nil {
		t.Fatal(err)
	}
	h, err := quality.OfFamily(family, fphash.BE64, 64, fphash.WidenNone)
	if err != nil {
		t.Fatal(err)
	}
	w, err := quality.Generate(quality.WorkloadOptions{Pattern: terms.Dense1e3, Weights: terms.Unit})
	if err != nil {
		t.Fatal(err)
	}
	want, err := w.Measure(h, 0)
	if err != nil {
		t.Fatal(err)
	}
	rows := computed(t, Options{Suite: "hashes", Match: regexp.MustCompile("^Quality/hash=fnv1a64/encoding=be64/pattern=dense1e3/weights=unit/f=")}, nil, 0)

	all, near, bit := want.All, want.Cos90, want.Bit
	wanted := map[string]float64{
		"effective-bits": all.Effective.Value, "effective-bits-low": all.Effective.Low, "effective-bits-high": all.Effective.High,
		"effective-bits-cos90": near.Effective.Value, "effective-bits-cos90-low": near.Effective.Low, "effective-bits-cos90-high": near.Effective.High,
		"bias": all.Hash.Bias, "bias-cos90": near.Hash.Bias, "rmse": all.Hash.RMSE, "rmse-cos90": near.Hash.RMSE,
		"variance-ratio": all.VarianceRatio, "variance-ratio-cos90": near.VarianceRatio,
		"constant-bits": float64(len(bit.Constant)), "copied-bits": float64(len(bit.Copied)),
		"verdict": -1, "keyings": 100, "pairs": float64(all.Pairs), "pairs-cos90": float64(near.Pairs),
	}
	if diff := cmp.Diff(wanted, figuresOf(t, rows, "^Quality/")); diff != "" {
		t.Errorf("quality (-want +got):\n%s", diff)
	}
	if len(bit.Copied) == 0 || len(bit.Constant) == 0 {
		t.Errorf("the example has no faults: %+v", bit)
	}
}

// File lists each unit of the rows once, with its direction and whether it is exact.
func TestUnitsOfFile(t *testing.T) {
	rows := []resultfile.Row{{Name: "Hash/n=1", Unit: terms.NanosecondsPerKey}, {Name: "Quality/f=1", Unit: terms.Verdict}, {Name: "Hash/n=2", Unit: terms.NanosecondsPerKey}, {Name: "Quality/f=1", Unit: terms.Pairs}}
	for i := range rows {
		rows[i].Samples = []resultfile.Sample{{Iterations: 1, Value: 1}}
	}
	rows = append(rows, resultfile.Row{Name: "Quality/f=2", Unit: terms.EffectiveBits, Err: "wrong"})
	want := []resultfile.Unit{{Name: terms.NanosecondsPerKey, Better: -1}, {Name: terms.Verdict, Exact: true, Better: +1}, {Name: terms.Pairs, Exact: true}}
	if diff := cmp.Diff(want, File(nil, rows).Units); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// computed computes the cells that the options select.
func computed(t *testing.T, o Options, data *Data, workers int) []resultfile.Row {
	t.Helper()
	plan, err := NewPlan(o)
	if err != nil || len(plan.cells) == 0 {
		t.Fatalf("plan %v, error %v", plan, err)
	}
	rows, err := runCells(context.Background(), plan.cells, newInputs(data), workers, func(Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Rows depend neither on kernels nor on the number of workers, and all values are finite.
func TestCellsAreDeterministic(t *testing.T) {
	o := Options{Suite: "hashes", Match: regexp.MustCompile("^Quality/hash=fnv1a64/encoding=le64/pattern=(dense1e3/weights=unit/|uniform64/weights=unit/f=)")}
	want := computed(t, o, nil, 1)
	dense := o
	dense.Match = regexp.MustCompile("^Quality/hash=fnv1a64/encoding=le64/pattern=dense1e3/weights=unit/")
	alone := computed(t, dense, nil, 0)
	together := slices.DeleteFunc(slices.Clone(want), func(r resultfile.Row) bool { return !strings.Contains(r.Name, "pattern=dense1e3") })
	if diff := cmp.Diff(alone, together); diff != "" {
		t.Errorf("a cell gives other rows alone than after another cell (-alone +together):\n%s", diff)
	}
	former, err := cpu.SetTier(cpu.Generic)
	if err != nil {
		t.Fatal(err)
	}
	defer cpu.SetTier(former)
	if diff := cmp.Diff(want, computed(t, o, nil, 3)); diff != "" {
		t.Errorf("the generic kernels and three workers give other rows (-want +got):\n%s", diff)
	}
	kinds := map[string]int{}
	for _, r := range want {
		name := benchname.Parse(r.Name)
		if len(name.Keys) == 0 || len(r.Samples) != 1 || math.IsNaN(r.Samples[0].Value) || math.IsInf(r.Samples[0].Value, 0) {
			t.Errorf("row %+v", r)
		}
		kinds[name.Base]++
	}
	if kinds[terms.Quality] == 0 || len(kinds) != 1 {
		t.Errorf("rows %v", kinds)
	}
}

// few returns a data set of n vectors, no two of which are similar.
func few(t *testing.T, n int) *Data {
	t.Helper()
	var set datasets.CSR[float64]
	for i := range n {
		if err := set.Append(&datasets.Row[float64]{Indices: []uint64{uint64(i), uint64(i + 1), 1000}, Weights: []float64{1, 2.5, 1}}); err != nil {
			t.Fatal(err)
		}
	}
	data, err := NewData("own.svm", "a test's", set)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The quality on a few dissimilar vectors is measured with edited copies. With one vector the cell
// fails.
func TestCellsOnFewVectors(t *testing.T) {
	for _, n := range []int{1, 3, 19} {
		r := computed(t, Options{Data: "own.svm", Match: regexp.MustCompile("^Quality/hash=xxh64/encoding=le64/pattern=data")}, few(t, n), 0)
		if n == 1 {
			if len(r) != 1 || !strings.Contains(r[0].Err, "1 vector: no two of them differ") {
				t.Errorf("one vector: %+v", r)
			}
			continue
		}
		i := slices.IndexFunc(r, func(r resultfile.Row) bool { return r.Unit == terms.EffectiveBits })
		if i < 0 || r[i].Samples[0].Value < 57.6 {
			t.Errorf("%d vectors: rows %v", n, r)
		}
		for _, row := range r {
			if v := row.Samples[0].Value; math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%d vectors: %+v", n, row)
			}
		}
	}
}

func TestRunCellsStops(t *testing.T) {
	plan, err := NewPlan(Options{Match: regexp.MustCompile("^Quality/hash=xxh64/")})
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(stop)
	if r, err := plan.Run(ctx, nil, RunOptions{}); r != nil || !errors.Is(err, stop) {
		t.Errorf("results %v, error %v", r, err)
	}
}
