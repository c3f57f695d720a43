package report

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/gobench/resultfile"
)

// sampleRow is one benchmark of a made-up comparison, and its change.
type sampleRow struct {
	name, unit string
	change     float64
	only       string // "main" or "branch" if only that side has it
}

// sampleComparison compares made-up files of six process runs, with noise of half a percent.
func sampleComparison(t testing.TB, list ...sampleRow) *compare.Report {
	t.Helper()
	side := func(label string, seed uint64) compare.Input {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		for range 6 {
			b.WriteString("goos: linux\ncpu: Example CPU\npkg: example.com/p\n")
			for _, row := range list {
				value := 100.0
				if label != "main" {
					value *= 1 + row.change
				}
				if row.only == "" || row.only == label {
					fmt.Fprintf(&b, "Benchmark%s 1000 %.8g %s\n", row.name, value*(1+(r.Float64()-0.5)/100), row.unit)
				}
			}
			b.WriteString("PASS\n")
		}
		return compare.Input{Label: label, Name: label + ".txt", Text: []byte(b.String())}
	}
	c, err := compare.Compare([]compare.Input{side("main", 1), side("branch", 2)}, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func renderComparison(t testing.TB, c *compare.Report) string {
	t.Helper()
	var out strings.Builder
	if err := WriteComparison(&out, c); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var fewRows = []sampleRow{
	{name: "Same", unit: "ns/op"},
	{name: "Slower/size=1k", unit: "ns/op", change: 0.1},
	{name: "Faster/size=1k", unit: "ns/op", change: -0.2},
	{name: "MuchSlower", unit: "ns/op", change: 20},
	{name: "Throughput", unit: "MB/s", change: -0.1},
	{name: "Nobody", unit: "apples", change: 0.3},
	{name: "Gone", unit: "ns/op", only: "main"},
	{name: "Fresh", unit: "ns/op", only: "branch"},
}

// manyRows returns n rows whose names are wider than a column.
func manyRows(n int) []sampleRow {
	var list []sampleRow
	for i := range n {
		list = append(list, sampleRow{name: fmt.Sprintf("AVeryLongNameOfABenchmark/hash=highway256/encoding=le64/pattern=consecutive/weights=dominated/kernel=avx512gfni/n=%d", i), unit: "ns/op", change: float64(i%9-4) / 50})
	}
	return list
}

func TestGoodNews(t *testing.T) {
	page := renderComparison(t, sampleComparison(t, sampleRow{name: "Same", unit: "ns/op"}))
	if !strings.Contains(page, `<p class="callout"><span class="lead">No regression in 1 comparison.</span>`) || strings.Contains(page, "What could not") || strings.Contains(page, "What has changed") {
		t.Errorf("page:\n%s", skeleton(page))
	}
	// A gap is a warning, and so is an empty comparison.
	for _, list := range [][]sampleRow{{{name: "Same", unit: "ns/op"}, {name: "Gone", unit: "ns/op", only: "main"}}, {{name: "Gone", unit: "ns/op", only: "main"}}, {}} {
		if page := renderComparison(t, sampleComparison(t, list...)); !strings.Contains(page, `class="callout warning"`) {
			t.Errorf("no warning:\n%s", skeleton(page))
		}
	}
}

// Every compared row has a picture of its change.
func TestEveryChangeIsDrawn(t *testing.T) {
	page := renderComparison(t, sampleComparison(t, manyRows(500)...))
	if n := strings.Count(page, "n=499</strong>"); n != 1 {
		t.Errorf("the last row is there %d times, want once", n)
	}
	if drawn, rows := strings.Count(page, `<svg class="interval"`), strings.Count(page, "<tr><td"); drawn != rows || rows < 500 {
		t.Errorf("%d pictures in %d rows", drawn, rows)
	}
}

func TestComparisonIsText(t *testing.T) {
	page := renderComparison(t, sampleComparison(t, sampleRow{name: `<b>&"'{{.}}`, unit: "<i>/op", change: 1}, sampleRow{name: "<b>", unit: "ns/op", only: "main"}))
	if strings.Contains(page, "<b>") || strings.Contains(page, "<i>") || !strings.Contains(page, "&lt;b&gt;&amp;") {
		t.Error("text of a file became markup in the page")
	}
}

// No comparison leads to a page with NaN or Inf.
func TestStrangeComparisons(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		figure := func(name string) float64 {
			return rapid.SampledFrom([]float64{0, 1, -1, 1e-300, 1e300, -1e300, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), 0.05}).Draw(t, name)
		}
		table := compare.Table{Unit: "sec/op", Better: -1, Threshold: min(math.Abs(figure("threshold")), 1e300), Old: "a", New: "b"}
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			side := func() compare.Side {
				return compare.Side{Figure: resultfile.Figure{Samples: 1, Median: min(max(figure("center"), -1e300), 1e300), Lo: figure("lo"), Hi: figure("hi")}}
			}
			table.Rows = append(table.Rows, compare.Row{Name: "A", Old: side(), New: side(), Verdict: rapid.SampledFrom(slices.Sorted(maps.Keys(looks))).Draw(t, "verdict"),
				Effect: compare.Effect{Change: figure("change"), Lo: figure("low"), Hi: figure("high"), P: 0.5, Noise: rapid.Bool().Draw(t, "noise")}})
		}
		var out strings.Builder
		if err := WriteComparison(&out, &compare.Report{Alpha: 0.02, Tables: []compare.Table{table}}); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"NaN", "Inf"} {
			if i := strings.Index(out.String(), bad); i >= 0 {
				t.Fatalf("%s in …%s…", bad, out.String()[max(0, i-300):min(out.Len(), i+100)])
			}
		}
	})
}
