package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func writeString(t *testing.T, r *Report, format string) string {
	t.Helper()
	var out strings.Builder
	if err := Write(&out, r, format); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// hostile has names with Markdown and HTML syntax, and values that JSON cannot represent.
func hostile(t *testing.T) *Report {
	t.Helper()
	name := `A/<b>|*_[x](y)` + "`" + `,"@someone`
	return compareTexts(t, samplesOf(name, 0, "allocs/op", 6)+samplesOf("B", 1, "ns/op", 2), samplesOf(name, 3, "allocs/op", 6)+samplesOf("B", 1, "ns/op", 2), Options{})
}

func TestMarkdownEscapes(t *testing.T) {
	r := hostile(t)
	columns, _ := r.Tables[0].Cells()
	got := writeString(t, r, "markdown")
	if strings.Contains(got, "<b>") || strings.Contains(got, " @someone") || !strings.Contains(got, `A/&lt;b&gt;\|\*\_\[x\](y)\`+"`"+`,"&#64;someone`) {
		t.Error(got)
	}
	for line := range strings.Lines(got) {
		if strings.HasPrefix(line, "|") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != len(columns)+1 {
			t.Errorf("not %d cells: %s", len(columns), line)
		}
	}
	if !strings.HasPrefix(got, "### Benchmarks: 1 regression, 1 not compared\n") || !strings.Contains(got, "+∞") {
		t.Error(got)
	}
}

// A regression is an error of the workflow, a gap is a warning, and names cannot end a command
// early.
func TestGitHubAnnotations(t *testing.T) {
	report := hostile(t)
	got := writeString(t, report, "github")
	want := "::error title=Regression of A/<b>|*_[x](y)`%2C\"@someone::allocs/op: 0.000 → 3.005 (+∞)\n::warning title=Not compared::"
	if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, writeString(t, report, "text")) {
		t.Error(got)
	}
	report.Tables[0].Rows[0].Name = "a:b%\nc"
	if got := writeString(t, report, "github"); !strings.HasPrefix(got, "::error title=Regression of a%3Ab%25%0Ac::") {
		t.Error(got)
	}
}

// A change of zero may be -0, for example for a rate that is the reciprocal of a time.
func TestNoNegativeZero(t *testing.T) {
	zero := math.Copysign(0, -1)
	r := compareTexts(t, samplesOf("A", 1, "ns/op", 6), samplesOf("A", 1, "ns/op", 6), Options{
		Judge: func(Table, Row) (Judgement, bool) {
			return Judgement{Effect{Change: zero, Lo: zero, Hi: zero, P: 1, Detectable: zero, Noise: true}, []float64{1}, []float64{1}}, true
		},
	})
	for _, format := range Formats() {
		if got := writeString(t, r, format); strings.Contains(strings.ReplaceAll(got, "e-0", ""), "-0") {
			t.Errorf("%s: %s", format, got)
		}
	}
}

func TestJSONLinesAreJSON(t *testing.T) {
	var types []string
	for line := range strings.Lines(writeString(t, hostile(t), "jsonl")) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		types = append(types, object["type"].(string))
		if object["verdict"] == "REGRESSION" {
			if _, ok := object["effect"].(map[string]any)["change"]; ok {
				t.Errorf("an infinite change: %s", line)
			}
		}
	}
	expect(t, "types", []string{"comparison", "comparison", "gap", "note", "summary"}, types)
}

func TestManyGapsAreSummedUp(t *testing.T) {
	var old strings.Builder
	for i := range 30 {
		old.WriteString(samplesOf("A"+strings.Repeat("x", i), 1, "ns/op", 6))
	}
	r := compareTexts(t, old.String(), samplesOf("B", 1, "ns/op", 6), Options{})
	if got := writeString(t, r, "text"); strings.Count(got, "\nGAP ") != 1 ||
		!strings.Contains(got, "GAP   old.txt:1: missing: A is missing in new (sec/op); also Ax, Axx, Axxx, Axxxx, Axxxxx and 24 more\n") ||
		!strings.HasSuffix(got, "\nVerdict: nothing could be compared.\n") {
		t.Error(got)
	}
	if got := strings.Count(writeString(t, r, "jsonl"), `"type":"gap"`); got != 30 {
		t.Errorf("%d gaps in JSON", got)
	}
}

// Both sides have the same scale unless their values differ by a large factor.
func TestScales(t *testing.T) {
	r := compareTexts(t, samplesOf("Near", 812, "ns/op", 6)+samplesOf("Far", 812, "ns/op", 6), samplesOf("Near", 9000, "ns/op", 6)+samplesOf("Far", 969700, "ns/op", 6), Options{})
	var got []string
	_, rows := r.Tables[0].Cells()
	for _, c := range rows {
		got = append(got, c[0]+" "+c[1]+" "+c[3])
	}
	expect(t, "figures", []string{"Near 813.2n 9013.5n", "Far 813.2n 971.2µ"}, got)
}

func TestSignedPercent(t *testing.T) {
	for v, want := range map[float64]string{0.0612: "+6.12%", -0.005: "-0.50%", -1e-9: "+0.00%", 0: "+0.00%", 14.2: "+15.2×", 998.4: "+999×", 1023: "+1024×", 12345.6: "+12347×", math.Inf(1): "+∞", math.Inf(-1): "-∞"} {
		if got := signedPercent(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrors(t *testing.T) {
	if err := Write(brokenWriter{}, &Report{}, "text"); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
	if err := Write(brokenWriter{}, &Report{}, "xml"); err == nil || !strings.Contains(err.Error(), `unknown format "xml"; expected text, markdown`) {
		t.Errorf("error %v", err)
	}
}

func TestCommonParts(t *testing.T) {
	for _, c := range []struct {
		names  []string
		common string
		rest   []string
	}{
		{[]string{"Sketch/hash=a/f=64", "Sketch/hash=b/f=64"}, "Sketch/f=64", []string{"hash=a", "hash=b"}},
		{[]string{"A/x", "B/x"}, "x", []string{"A", "B"}},
		{[]string{"A/x", "A"}, "A", []string{"x", "A"}},
		{[]string{"A/x/y"}, "A/x", []string{"y"}},
		{[]string{"A", "B"}, "", []string{"A", "B"}},
	} {
		if common, rest := commonParts(c.names); common != c.common || !slices.Equal(rest, c.rest) {
			t.Errorf("%q: %q and %q, want %q and %q", c.names, common, rest, c.common, c.rest)
		}
	}
}

// Tables with long names fit the text width: the common parts of the names are above the table.
func TestLongNamesFit(t *testing.T) {
	long := "Sketch/hash=xxh64/weights=W/f=64/kernel=avx512gfni/data=url_Instances_1000.svm.gz/nnz=mixed"
	file := func(value float64) string {
		var text strings.Builder
		for range 12 {
			for _, weights := range []string{"unit", "f32"} {
				fmt.Fprintf(&text, "Benchmark%s 1 %v ns/nnz\n", strings.Replace(long, "=W", "="+weights, 1), value)
			}
		}
		return text.String()
	}
	text := compareTexts(t, file(2), file(6), Options{}).text()
	if !strings.Contains(text, "\nSketch/hash=xxh64/f=64/kernel=avx512gfni/data=url_Instances_1000.svm.gz/nnz=mixed:\n") || !strings.Contains(text, "\n  weights=unit  ") {
		t.Errorf("%s", text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if utf8.RuneCountInString(line) > textWidth {
			t.Errorf("longer than %d: %s", textWidth, line)
		}
	}
}

// A table of allocations says that constant ones are judged without a test.
func TestTitleOfAllocations(t *testing.T) {
	constant, varying := Row{Verdict: NoChange}, Row{Verdict: Unclear, Effect: Effect{Noise: true}}
	for _, tc := range []struct {
		rows []Row
		want string
	}{
		{[]Row{constant}, "exact, changes up to 3% are small"},
		{[]Row{constant, varying}, "exact where constant, changes up to 3% are small"},
		{[]Row{varying}, "threshold 3%"},
		{[]Row{{Verdict: New}}, "threshold 3%"},
	} {
		table := Table{Unit: "B/op", Better: -1, Threshold: 0.03, Old: "a", New: "b", Rows: tc.rows}
		if got, want := table.Title(), "B/op (lower is better, "+tc.want+"): a → b"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
