package advice

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// results are made-up rows.
type results []resultfile.Row

func (r *results) exact(name string, valuesAndUnits ...any) {
	for i := 0; i < len(valuesAndUnits); i += 2 {
		*r = append(*r, resultfile.Row{Name: name, Unit: valuesAndUnits[i+1].(string), Samples: []resultfile.Sample{{Iterations: 1, Value: valuesAndUnits[i].(float64)}}})
	}
}

// cell is one of a hash on some vectors: bits within 2 percent, in both bands.
func (r *results) cell(hash, encoding, vectors string, bits, verdict float64) {
	name := fmt.Sprintf("Quality/hash=%s/encoding=%s/%s/f=64", hash, encoding, vectors)
	r.exact(name, bits, "effective-bits", bits*0.98, "effective-bits-low", bits*1.02, "effective-bits-high",
		bits+1, "effective-bits-cos90", (bits+1)*0.98, "effective-bits-cos90-low", (bits+1)*1.02, "effective-bits-cos90-high", verdict, "verdict")
}

// times are eight samples within 1 percent.
func (r *results) times(name, unit string, value float64) {
	row := resultfile.Row{Name: name, Unit: unit}
	for i := range 8 {
		row.Samples = append(row.Samples, resultfile.Sample{Iterations: 10, Value: value * (1 + float64(i-4)/400)})
	}
	*r = append(*r, row)
}

func (r *results) sketch(hash string, value float64) {
	r.times("Sketch/hash="+hash+"/weights=f32/f=64/kernel=avx2/data=own.svm/nnz=mixed", "ns/nnz", value)
}

const onData = "pattern=data/weights=f32/data=own.svm"

func recommended(r results, note string) string {
	return strings.Join(Recommend(resultfile.Summarize(r), "own.svm", note), "\n")
}

func TestRecommendTheCheapestOfTheGood(t *testing.T) {
	var r results
	r.cell("xxh64", "le64", onData, 64, 1)
	r.cell("xxh64", "dec", onData, 64, 1) // not timed
	r.cell("fast", "le64", onData, 63, 1)
	r.cell("faster", "le64", onData, 20, -1)
	r.cell("open", "le64", onData, 57, 0)
	r.cell("fast", "le64", "pattern=pow2/weights=unit", 11, -1)
	r.sketch("xxh64", 2)
	r.sketch("fast", 1.5)
	r.sketch("faster", 1)
	got := recommended(r, "")
	want := `Which hash to use on own.svm

Use fast with le64: 1.50 ns per feature of a whole sketch (kernel avx2), the cheapest of the 2 that were timed of 3 that
are good on these vectors: 63.0 of 64 bits (64.0 at cosine 0.9 and above) on little-endian keys of the indices of these
vectors, f32 weights.
Mind that it is weak on other indices: 11.0 of 64 bits (12.0 at cosine 0.9 and above) on little-endian keys of sums of
one or two powers of two, unit weights.
The default, xxh64 with le64, costs 2.00 ns per feature: changing saves 25% of the time of a sketch. Fingerprints of two
hashes cannot be compared: all have to be made anew.
Do not use on such vectors:
  faster: 20.0 of 64 bits (21.0 at cosine 0.9 and above) on little-endian keys of the indices of these vectors, f32
    weights
Undecided:
  open: 55.9 to 58.1 of 64 bits, 56.8 to 59.2 of 64 bits at cosine 0.9 and above (good: 57.6 and more) on
    little-endian keys of the indices of these vectors, f32 weights
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRecommendWithinNoise(t *testing.T) {
	var r results
	r.cell("xxh64", "le64", onData, 64, 1)
	r.cell("fast", "le64", onData, 64, 1)
	r.sketch("xxh64", 2.003)
	r.sketch("fast", 2)
	got := recommended(r, "")
	for _, want := range []string{"Use fast with le64", "As cheap within the noise of this run: xxh64 with le64 (2.00 ns)", "changing gains nothing"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestRecommendDefault(t *testing.T) {
	var r results
	r.cell("xxh64", "le64", onData, 64, 1)
	r.sketch("xxh64", 2)
	if got := recommended(r, ""); !strings.Contains(got, "That is the default.") {
		t.Error(got)
	}
	r = nil
	r.cell("xxh64", "le64", onData, 30, -1)
	r.cell("good", "le64", onData, 64, 1)
	r.sketch("good", 2)
	if got := recommended(r, ""); !strings.Contains(got, "The default, xxh64 with le64, is weak here: 30.0 of 64 bits") {
		t.Error(got)
	}
}

// Where the data or the run do not support it, there is no recommendation, and the reason is said.
func TestNoRecommendation(t *testing.T) {
	var bad, untimed, open results
	bad.cell("a", "le64", onData, 30, -1)
	bad.sketch("a", 1)
	untimed.cell("a", "le64", onData, 64, 1)
	open.cell("a", "le64", onData, 64, 0)
	open.sketch("a", 1)
	for _, tc := range []struct {
		name string
		rows results
		note string
		want string
	}{
		{"weak", bad, "", "None of the 1 combinations of hash and encoding is good"},
		{"not timed", untimed, "", "None of them was timed"},
		{"note", open, "no verdict: 3 vectors are too few", "There is no verdict: 3 vectors are too few. No hash is recommended"},
		{"undecided", open, "", "None of the 1"},
	} {
		got := recommended(tc.rows, tc.note)
		if !strings.Contains(got, tc.want) || strings.Contains(got, "Use ") || strings.Contains(got, "NaN") {
			t.Errorf("%s: want %q, got\n%s", tc.name, tc.want, got)
		}
	}
	if got := recommended(nil, ""); got != "" {
		t.Errorf("no rows: %q", got)
	}
}

// Good ones come by their cost, the others by what their bits are worth.
func TestChoices(t *testing.T) {
	var r results
	r.cell("weak", "le64", "pattern=pow2/weights=unit", 5, -1)
	r.cell("weak", "le64", "pattern=dense1e3/weights=unit", 63, 1)
	r.cell("weaker", "le64", "pattern=pow2/weights=unit", 4, -1)
	r.cell("dear", "le64", "pattern=pow2/weights=unit", 64, 1)
	r.cell("untimed", "le64", "pattern=pow2/weights=unit", 64, 1)
	r.cell("cheap", "be64", "pattern=pow2/weights=unit", 62, 1)
	r.cell("open", "le64", "pattern=pow2/weights=unit", 57, 0)
	r.times("Hash/hash=dear/encoding=le64/kernel=library/n=1024", "ns/key", 9)
	r.times("Hash/hash=dear/encoding=le64/kernel=generic/n=1024", "ns/key", 7)
	r.times("Hash/hash=dear/encoding=le64/kernel=avx2/n=1024", "ns/key", 6)
	r.times("Hash/hash=dear/encoding=le64/kernel=avx2/n=16", "ns/key", 1)
	r.times("Hash/hash=cheap/encoding=be64/kernel=avx2/n=1024", "ns/key", 5)
	r.times("Hash/hash=untimed/encoding=dec/kernel=avx2/n=1024", "ns/key", 1)
	r = append(r, resultfile.Row{Name: "Quality/hash=broken/encoding=le64/pattern=pow2/weights=unit/f=64", Unit: "verdict", Err: "wrong"})
	var got []string
	list := Choices(resultfile.Summarize(r), func(benchname.Name) bool { return true })
	for _, c := range list {
		got = append(got, c.String())
	}
	want := []string{"cheap with be64", "dear with le64", "untimed with le64", "open with le64", "broken with le64", "weak with le64", "weaker with le64"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if dear := list[1]; dear.Best.Name.Get("kernel") != "avx2" || dear.Library.Median < 8.9 || dear.Sketch != nil {
		t.Errorf("cost of %v: %+v", dear, dear)
	}
	if weak := list[5]; len(weak.Cells) != 2 || weak.Worst().Case() != "pow2, unit" {
		t.Errorf("worst of %v: %s", weak, weak.Worst().Name)
	}
}

// A hash that fails in one case is not good by the others, whatever unit the row of the failure
// has; what was left out on purpose is no case.
func TestFailedCaseIsUndecided(t *testing.T) {
	const failed = "Quality/hash=%s/encoding=le64/pattern=pow2/weights=unit/f=64"
	var r results
	for _, hash := range []string{"good", "broken", "halfway", "skipped"} {
		r.cell(hash, "le64", "pattern=dense1e3/weights=unit", 64, 1)
	}
	r.cell("halfway", "le64", "pattern=pow2/weights=unit", 64, 1)
	r = append(r, resultfile.Row{Name: fmt.Sprintf(failed, "broken"), Err: "wrong answer"}, resultfile.Row{Name: fmt.Sprintf(failed, "halfway"), Unit: "bias", Err: "wrong answer"},
		resultfile.Row{Name: fmt.Sprintf(failed, "skipped"), Skipped: "not wanted"})
	want := map[string]int{"good": terms.Good, "broken": terms.Undecided, "halfway": terms.Undecided, "skipped": terms.Good}
	for _, c := range Choices(resultfile.Summarize(r), func(benchname.Name) bool { return true }) {
		if c.Verdict() != want[c.Hash] {
			t.Errorf("%v has verdict %d, want %d", c, c.Verdict(), want[c.Hash])
		}
		if why := c.Worst().Why(); c.Verdict() == terms.Undecided && !strings.Contains(why, "failed (wrong answer) on little-endian keys of sums") {
			t.Errorf("%v: %s", c, why)
		}
	}
}

// Hashing alone without widening is not what a widened choice costs.
func TestWidenedCost(t *testing.T) {
	var r results
	r.exact("Quality/hash=xxh64/encoding=le64/pattern=pow2/weights=unit/widen=mix/f=128", 128.0, "effective-bits", 1.0, "verdict")
	r.exact("Quality/hash=xxh64/encoding=le64/pattern=pow2/weights=unit/f=64", 64.0, "effective-bits", 1.0, "verdict")
	r.times("Hash/hash=xxh64/encoding=le64/kernel=library/n=1024", "ns/key", 2)
	r.times("Hash/hash=xxh64/encoding=le64/kernel=avx2/n=1024", "ns/key", 1)
	r.times("Sketch/hash=xxh64/weights=f32/f=128/kernel=avx2/widen=mix/nnz=100", "ns/nnz", 5)
	for _, c := range Choices(resultfile.Summarize(r), func(benchname.Name) bool { return true }) {
		if wide := c.Widen != ""; wide != (c.Best == nil) || wide != (c.Library == nil) || wide != (c.Sketch != nil) {
			t.Errorf("cost of %v: %+v", c, c)
		}
	}
}
