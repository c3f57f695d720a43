package compare

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// compareTexts compares two files.
func compareTexts(t *testing.T, old, new string, o Options) *Report {
	t.Helper()
	r, err := Compare([]Input{{"old", "old.txt", []byte(old)}, {"new", "new.txt", []byte(new)}}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// verdicts lists "name unit: verdict".
func verdicts(r *Report) []string {
	var list []string
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			list = append(list, fmt.Sprintf("%s %s: %s", row.Name, t.Unit, row.Verdict))
		}
	}
	return list
}

func gaps(r *Report) []string {
	var list []string
	for _, g := range r.Gaps {
		list = append(list, g.String())
	}
	return list
}

func expect(t *testing.T, what string, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// samplesOf returns lines of one benchmark with slightly different values.
func samplesOf(name string, value float64, unit string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Benchmark%s 100 %.6g %s\n", name, value*(1+0.001*float64(i*7%5)), unit)
	}
	return b.String()
}

func TestVerdicts(t *testing.T) {
	head := "goos: linux\ncpu: X\n"
	old := head + samplesOf("Slower", 100, "ns/op", 8) + samplesOf("Faster", 100, "ns/op", 8) + samplesOf("Same", 100, "ns/op", 8) + samplesOf("Little", 100, "ns/op", 8) +
		samplesOf("Gone", 1, "ns/op", 8) + samplesOf("Few", 1, "ns/op", 5) + samplesOf("Rate", 100, "MB/s", 8) + samplesOf("Zero", 0, "allocs/op", 6) +
		samplesOf("Odd", 1, "wombats", 6) + samplesOf("Custom", 5, "keys/s", 6) + strings.Repeat("BenchmarkNoise 1 50 ns/op\nBenchmarkNoise 1 90 ns/op\n", 4)
	new := head + samplesOf("Slower", 106, "ns/op", 8) + samplesOf("Faster", 90, "ns/op", 8) + samplesOf("Same", 100.1, "ns/op", 8) + samplesOf("Little", 102.9, "ns/op", 8) +
		samplesOf("Few", 1, "ns/op", 50) + samplesOf("Rate", 94, "MB/s", 8) + strings.Repeat("BenchmarkZero 1 1 allocs/op\n", 6) +
		samplesOf("Odd", 2, "wombats", 6) + samplesOf("Custom", 6, "keys/s", 6) + strings.Repeat("BenchmarkNoise 1 50 ns/op\nBenchmarkNoise 1 90 ns/op\n", 4) + samplesOf("Fresh", 1, "ns/op", 1)
	r := compareTexts(t, old, new, Options{Accept: []string{gapRuns}})
	expect(t, "verdicts", []string{
		"Slower sec/op: REGRESSION", "Faster sec/op: improvement", "Same sec/op: no change", "Little sec/op: small", "Gone sec/op: missing", "Few sec/op: too few samples",
		"Noise sec/op: unclear", "Fresh sec/op: new", "Rate B/s: REGRESSION", "Zero allocs/op: REGRESSION", "Odd wombats: changed", "Custom keys/s: improvement",
	}, verdicts(r))
	expect(t, "gaps", []string{
		"old.txt:43: samples: Few has 5 samples in old, expected 6 or more (sec/op)",
		"old.txt:35: missing: Gone is missing in new (sec/op)",
		"new.txt:99: direction: Odd has changed, but its better direction is unknown; expected a line: Unit UNIT better=higher (or lower) (wombats)",
	}, gaps(r))
	if got := r.Tables[0].Rows[0].Effect.Change; math.Abs(got-0.06) > 1e-6 {
		t.Errorf("Slower has changed by %v", got)
	}
	if e := r.Tables[2].Rows[0].Effect; !math.IsInf(e.Change, 1) || e.P != 0 {
		t.Errorf("from 0 allocations to 1: %+v", e)
	}
	if !compareTexts(t, old, new, Options{Accept: []string{gapMissing}}).Gaps[1].Accepted {
		t.Error("an accepted gap counts")
	}
}

// Values that do not vary on either side have no noise, regardless of the number of process runs.
func TestConstantsHaveNoNoise(t *testing.T) {
	threshold, err := ParseThresholds([]string{"allocs/op=0.05%"})
	if err != nil {
		t.Fatal(err)
	}
	allocations := func(n int) string { return strings.Repeat(fmt.Sprintf("BenchmarkA 1 %d allocs/op\n", n), 6) }
	r := compareTexts(t, allocations(1000), allocations(1001), Options{Threshold: threshold})
	if e := r.Tables[0].Rows[0].Effect; e.Noise || e.P != 0 {
		t.Errorf("%+v", e)
	}
	expect(t, "verdicts", []string{"A allocs/op: REGRESSION"}, verdicts(r))
	expect(t, "verdicts", []string{"A allocs/op: small"}, verdicts(compareTexts(t, allocations(1000), allocations(1001), Options{})))
}

func TestExactUnits(t *testing.T) {
	head := "Unit recall assume=exact better=higher\nUnit bias assume=exact better=lower\n"
	old := head + "BenchmarkA 1 0.999 recall\nBenchmarkB 1 0.5 recall\nBenchmarkC 1 0.25 recall 3 bias\nBenchmarkC 1 0.25 recall 3 bias\nBenchmarkD 1 0.33333333 recall\nBenchmarkE 1 0 bias\nBenchmarkF 1 0 bias\n"
	new := head + "BenchmarkA 1 0.998 recall\nBenchmarkB 1 0.6 recall\nBenchmarkC 1 0.25 recall 3 bias\nBenchmarkC 1 0.24 recall 3 bias\nBenchmarkD 1 0.33333334 recall\nBenchmarkE 1 0 bias\nBenchmarkF 1 1e-9 bias\n"
	r := compareTexts(t, old, new, Options{})
	expect(t, "verdicts", []string{"A recall: REGRESSION", "B recall: improvement", "C recall: inexact", "D recall: no change", "C bias: no change", "E bias: no change", "F bias: REGRESSION"}, verdicts(r))
	expect(t, "gaps", []string{"new.txt:5: inexact: C should be exact, but varies between 0.24 and 0.25 in new (recall)"}, gaps(r))

	threshold, err := ParseThresholds([]string{"50%", "recall=0.2%"})
	if err != nil {
		t.Fatal(err)
	}
	if got := compareTexts(t, old, new, Options{Threshold: threshold}).Tables[0].Rows[0].Verdict; got != Small {
		t.Errorf("recall lower by 0.1%%, threshold 0.2%%: %v", got)
	}
}

func TestMachines(t *testing.T) {
	old := "goos: linux\npkg: a\ncpu: X\n" + samplesOf("A", 1, "ns/op", 6)
	new := "goos: darwin\npkg: a\ncpu: Y\n" + samplesOf("A", 1, "ns/op", 6)
	r := compareTexts(t, old, new, Options{})
	expect(t, "verdicts", nil, verdicts(r))
	expect(t, "gaps", []string{
		`old.txt:4: machine: different machines: goos is "linux" in old, but "darwin" in new; --ignore goos compares nevertheless`,
		`old.txt:4: machine: different machines: cpu is "X" in old, but "Y" in new; --ignore cpu compares nevertheless`,
	}, gaps(r))
	r = compareTexts(t, old, new, Options{Ignore: "goos cpu"})
	expect(t, "verdicts", []string{"A sec/op: no change"}, verdicts(r))
	expect(t, "gaps", nil, gaps(r))

	// A package that only one side has is not another machine.
	r = compareTexts(t, old+"pkg: b\n"+samplesOf("B", 1, "ns/op", 6), old+"pkg: c\n"+samplesOf("C", 1, "ns/op", 6), Options{})
	expect(t, "verdicts", []string{"A sec/op: no change", "B sec/op: missing", "C sec/op: new"}, verdicts(r))

	r = compareTexts(t, samplesOf("A-8", 1, "ns/op", 6), samplesOf("A-16", 1, "ns/op", 6), Options{})
	expect(t, "gaps", []string{"old.txt:1: missing: A-8 is missing in new, which has A-16; --ignore /gomaxprocs compares the two (sec/op)"}, gaps(r))
	expect(t, "gaps", nil, gaps(compareTexts(t, samplesOf("A-8", 1, "ns/op", 6), samplesOf("A-16", 1, "ns/op", 6), Options{Ignore: "/gomaxprocs"})))
}

func TestRunsOfAFile(t *testing.T) {
	run := "goos: linux\npkg: a\ncpu: X\n" + samplesOf("A", 1, "ns/op", 2) + "PASS\nok  \ta\t1.2s\n"
	other := "# date: 2026-01-01T00:00:00Z\nUnit ns/key better=lower\n" + samplesOf("A", 1, "ns/op", 3)
	r := compareTexts(t, strings.Repeat(run, 3), other+other+samplesOf("A", 1, "ns/op", 1), Options{Ignore: "goos pkg cpu"})
	if row := r.Tables[0].Rows[0]; row.Old.Runs != 3 || row.Old.Samples != 6 || row.New.Runs != 2 || row.New.Samples != 7 {
		t.Errorf("old %+v, new %+v", row.Old, row.New)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "fewer than 3 runs") {
		t.Errorf("notes %q", r.Notes)
	}
	bare := samplesOf("A", 1, "ns/op", 2) + "PASS\n"
	if row := compareTexts(t, strings.Repeat(bare, 4), bare, Options{}).Tables[0].Rows[0]; row.Old.Runs != 4 || row.New.Runs != 1 {
		t.Errorf("%d and %d runs", row.Old.Runs, row.New.Runs)
	}
	if r := compareTexts(t, strings.Repeat(run, 3), strings.Repeat(run, 4), Options{}); len(r.Notes) != 0 {
		t.Errorf("notes %q", r.Notes)
	}
}

func TestNotes(t *testing.T) {
	var old, new strings.Builder
	old.WriteString("# go: go1.26\n")
	new.WriteString("# go: go1.27\n")
	for i := range 12 {
		old.WriteString(samplesOf(fmt.Sprintf("A%d", i), 100, "ns/op", 6))
		new.WriteString(samplesOf(fmt.Sprintf("A%d", i), 110, "ns/op", 6))
	}
	r := compareTexts(t, strings.Repeat(old.String()+"PASS\n", 3), strings.Repeat(new.String()+"PASS\n", 3), Options{})
	if len(r.Notes) != 1 || r.Notes[0] != `go is "go1.26" in old, but "go1.27" in new` || !strings.Contains(r.Summary(), "; geometric mean: sec/op +10.00%") {
		t.Errorf("%q, %s", r.Notes, r.Summary())
	}
	r = compareTexts(t, old.String(), new.String(), Options{Row: ".name", Filter: ".name:/A1./"})
	expect(t, "verdicts", []string{"A10 sec/op: unclear", "A11 sec/op: unclear"}, verdicts(r))
	r = compareTexts(t, samplesOf("A/x=1", 1, "ns/op", 6)+samplesOf("A/x=2", 2, "ns/op", 6), samplesOf("A/x=1", 1, "ns/op", 6), Options{Row: ".name"})
	if len(r.Notes) != 2 || r.Notes[1] != "A merges results that differ in .fullname" {
		t.Errorf("%q", r.Notes)
	}
}

func TestColumnsOfOneFile(t *testing.T) {
	text := samplesOf("A/kernel=generic", 10, "ns/op", 6) + samplesOf("A/kernel=avx2", 5, "ns/op", 6) + samplesOf("A/kernel=avx512", 20, "ns/op", 6)
	compared := func(col string) []string {
		r, err := Compare([]Input{{"f", "f.txt", []byte(text)}}, Options{Col: col, Accept: []string{gapRuns}})
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, table := range r.Tables {
			list = append(list, fmt.Sprintf("%s → %s: %s", table.Old, table.New, table.Rows[0].Verdict))
		}
		return list
	}
	expect(t, "columns", []string{"generic → avx2: improvement", "generic → avx512: REGRESSION"}, compared("/kernel"))
	expect(t, "columns", []string{"avx2 → generic: REGRESSION"}, compared("/kernel@(avx2 generic)"))
}

// An unclear comparison is a gap with Strict. Without it, one gap says that most are unclear.
func TestUndecided(t *testing.T) {
	noisy := "BenchmarkA 1 5 ns/op\nBenchmarkA 1 9 ns/op\nBenchmarkA 1 7 ns/op\n"
	noisy += noisy
	exact := strings.Repeat("BenchmarkB 1 3 allocs/op\n", 6)
	steady := "BenchmarkC 1 5 ns/op\nBenchmarkC 1 5.001 ns/op\nBenchmarkC 1 5.002 ns/op\n"
	for _, tc := range []struct {
		text  string
		rules Options
		want  string
	}{
		{noisy + exact, Options{}, "unclear: 1 of 1 comparison with noise has no verdict; measure on a quieter machine"},
		{noisy + exact, Options{Threshold: &Thresholds{Default: 0.4}}, "unclear: 1 of 1 comparison with noise has no verdict; about 18 times as many samples would decide it"},
		{noisy + steady + steady, Options{}, ""},
		{noisy + steady + steady, Options{Strict: true}, "unclear: 1 of 2 comparisons with noise has no verdict; measure on a quieter machine"},
	} {
		got := gaps(compareTexts(t, tc.text, tc.text, tc.rules))
		if text := strings.Join(got, "\n"); text != tc.want {
			t.Errorf("%+v: %q, want %q", tc.rules, text, tc.want)
		}
		tc.rules.Accept = []string{gapUnclear}
		if n := compareTexts(t, tc.text, tc.text, tc.rules).OpenGaps(); n != 0 {
			t.Errorf("%+v: %d gaps are open", tc.rules, n)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for want, o := range map[string]Options{
		"alpha 1.5":                      {Alpha: 1.5},
		"alpha 1: must lie between":      {Alpha: 1},
		`unknown kind of gap "typo"`:     {Accept: []string{"typo"}},
		"compare: filter":                {Filter: "("},
		"compare: row":                   {Row: ".nonsense@("},
		"compare: table":                 {Table: ",,"},
		`unknown kind of gap "empty"`:    {Accept: []string{gapEmpty}},
		"alpha NaN: must lie between":    {Alpha: math.NaN()},
		"fixed order not allowed for .c": {Table: ".config@(x y)"},
	} {
		_, err := Compare([]Input{{"a", "a", []byte("")}}, o)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := Compare(nil, Options{}); err == nil {
		t.Error("no error without inputs")
	}
	for _, text := range []string{"3", "x%", "-1%", "NaN%", "=3%", "ns/op=", "Inf%", ""} {
		if _, err := ParseThresholds([]string{text}); err == nil {
			t.Errorf("no error for threshold %q", text)
		}
	}
	thresholds, err := ParseThresholds([]string{"4%", "ns/op=5%", "a=b=0.5%"})
	if err != nil || thresholds.Of("sec/op", false) != 0.05 || thresholds.Of("x", false) != 0.04 || thresholds.Of("x", true) != 0 || thresholds.Of("a=b", true) != 0.005 {
		t.Errorf("%+v, %v", thresholds, err)
	}
}

// 10^6 lines of 3,000 benchmarks.
func BenchmarkMillionLines(b *testing.B) {
	var text strings.Builder
	for i := range 1000 {
		for j := range 500 {
			fmt.Fprintf(&text, "BenchmarkSomething/case=%d/size=100-8 \t 1000000 \t %d ns/op\t 128 B/op\t 3 allocs/op\n", i, 1000+(i+j*j)%50)
		}
	}
	for b.Loop() {
		if _, err := Compare([]Input{{"old", "old.txt", []byte(text.String())}, {"new", "new.txt", []byte(text.String())}}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// Runs in several files of one side are different runs, although each file counts its own from 0.
func TestRunsOfSeveralFiles(t *testing.T) {
	const one = "BenchmarkX 1 10 ns/op\nBenchmarkX 1 11 ns/op\n"
	side := func(label, name string) Input { return Input{label, name, []byte(one)} }
	r, err := Compare([]Input{side("old", "a.txt"), side("old", "b.txt"), side("old", "c.txt"), side("new", "d.txt")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if row := r.Tables[0].Rows[0]; row.Old.Runs != 3 || row.Old.Samples != 6 || row.New.Runs != 1 {
		t.Errorf("%+v and %+v", row.Old, row.New)
	}
}
