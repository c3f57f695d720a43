package advice

import (
	"fmt"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/terms"
)

func all(Case) bool { return true }

// A hash that failed in one case is not good, unless a later file has results of this case.
func TestFailedCaseIsUndecided(t *testing.T) {
	const pow2 = "pattern=pow2/weights=unit"
	failed := func(hash string) string {
		return fmt.Sprintf("Quality/hash=%s/encoding=le64/%s/f=64", hash, pow2)
	}
	var r, later results
	for _, hash := range []string{"good", "broken", "halfway", "mended"} {
		r.cell(hash, "le64", "pattern=dense1e3/weights=unit", 64, 1)
	}
	r.cell("halfway", "le64", pow2, 64, 1)
	r = append(r, resultfile.Row{Name: failed("broken"), Err: "wrong answer"}, resultfile.Row{Name: failed("halfway"), Unit: "bias", Err: "wrong answer"},
		resultfile.Row{Name: failed("mended"), Err: "wrong answer"})
	later.cell("mended", "le64", pow2, 64, 1)
	want := map[string]terms.Judgement{"good": terms.Good, "broken": terms.Undecided, "halfway": terms.Undecided, "mended": terms.Good}
	list := Choices(set(r, later), all)
	for _, c := range list {
		if c.Verdict() != want[c.Hash] {
			t.Errorf("%v has verdict %d, want %d", c, c.Verdict(), want[c.Hash])
		}
		if why := c.Worst().Why(); c.Verdict() == terms.Undecided && why != "failed (wrong answer)" {
			t.Errorf("%v: %s", c, why)
		}
	}
	if len(list) != len(want) {
		t.Errorf("%d choices, want %d", len(list), len(want))
	}
}

// Times of sketches apply to one width, and times of hashing to all.
func TestTimesByWidth(t *testing.T) {
	var r results
	for _, name := range []string{"/f=128", "/f=64", "/f=32"} {
		r.exact("Quality/hash=xxh64/encoding=le64/"+onP+name, 64.0, "effective-bits", 1.0, "verdict")
	}
	r.hashed("xxh64", 1)
	r.times("Sketch/hash=xxh64/weights=f32/f=128/kernel=avx2/nnz=100", "ns/nnz", 5)
	s := set(r)
	list := Choices(s, all)
	for i, want := range []struct {
		name           string
		hashed, sketch bool
	}{{"xxh64 with le64 keys at 32 bits", true, false}, {"xxh64 with le64 keys", true, false}, {"xxh64 with le64 keys at 128 bits", true, true}} {
		_, hashed := timed(s, terms.Hash, list, "").Get(list[i])
		_, sketch := timed(s, terms.Sketch, list, "").Get(list[i])
		if list[i].String() != want.name || hashed != want.hashed || sketch != want.sketch {
			t.Errorf("%v: hashed %v, sketch %v; want %+v", list[i], hashed, sketch, want)
		}
	}
}

// Worst returns the case that determines the verdict, and Fewest the case with the fewest bits in
// either band.
func TestWorst(t *testing.T) {
	var r results
	bands := func(pattern string, all, near, verdict float64) {
		r.exact("Quality/hash=a/encoding=le64/pattern="+pattern+"/weights=unit/f=64", all, "effective-bits", near, "effective-bits-cos90", verdict, "verdict")
	}
	bands("p", 63, 62, -1)
	bands("q", 50, 60, 0)
	bands("r", 61, 49, 0)
	bands("s", 64, 64, 1)
	c := Choices(set(r), all)[0]
	fewest, ok := c.Fewest()
	if f, near := fewest.Worse(); !ok || f.Median != 49 || !near || fewest.Row.Name.Get("pattern") != "r" {
		t.Errorf("fewest: %+v", fewest)
	}
	if worst := c.Worst(); worst.Row.Name.Get("pattern") != "p" || c.Verdict() != terms.Weak {
		t.Errorf("worst %+v", worst)
	}
}

func TestWhy(t *testing.T) {
	const name = "Quality/hash=a/encoding=le64/" + onP + "/f=64"
	for _, tc := range []struct {
		figures []any
		want    string
	}{
		{[]any{8.5, "effective-bits", 42.6, "effective-bits-cos90", 21.0, "constant-bits", 3.0, "copied-bits", -1.0, "verdict"}, "8.5 of 64 bits (42.6 at cosine 0.9 and above), 21 constant bits, 3 copied or inverted bits"},
		{[]any{8.5, "effective-bits", -1.0, "verdict"}, "8.5 of 64 bits"},
		{[]any{128.4, "effective-bits-cos90", 1.0, "verdict"}, "128 of 64 bits at cosine 0.9 and above"},
		{[]any{-1.0, "verdict"}, "no verdict"},
		{[]any{63.0, "effective-bits", 63.0, "effective-bits-cos90"}, "no verdict"},
		{[]any{63.0, "effective-bits", 63.0, "effective-bits-cos90", 1.5, "verdict"}, "no verdict"},
		// undecided, without intervals
		{[]any{58.0, "effective-bits", 58.0, "effective-bits-cos90", 0.0, "verdict"}, "no verdict"},
		{[]any{63.0, "effective-bits", 63.0, "effective-bits-cos90", 100.0, "keyings", 0.0, "verdict"}, "too few indices to test single bits"},
		{[]any{63.0, "effective-bits", 63.0, "effective-bits-cos90", 1.0, "keyings", 0.0, "verdict"}, "1 keying (a verdict needs 100)"},
		{[]any{63.0, "effective-bits", 40.0, "pairs-cos90", 0.0, "verdict"}, "equal distances of most of the 40 pairs at cosine 0.9 and above"},
		{[]any{0.0, "verdict"}, "too few pairs, too few pairs at cosine 0.9 and above"},
		{[]any{58.0, "effective-bits", 56.0, "effective-bits-low", 60.0, "effective-bits-high", 0.0, "verdict"}, "56.0 to 60.0 of 64 bits, too few pairs at cosine 0.9 and above (good: at least 57.6)"},
		{[]any{62.0, "effective-bits", 61.0, "effective-bits-low", 63.0, "effective-bits-high", 58.0, "effective-bits-cos90", 57.5, "effective-bits-cos90-low", 58.5, "effective-bits-cos90-high", 0.0, "verdict"},
			"57.5 to 58.5 of 64 bits at cosine 0.9 and above (good: at least 57.6)"},
		{[]any{30.0, "effective-bits", 29.0, "effective-bits-low", 31.0, "effective-bits-high", 0.0, "verdict"}, "too few pairs at cosine 0.9 and above"},
	} {
		var r results
		r.exact(name, tc.figures...)
		if got := Choices(set(r), all)[0].Worst().Why(); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
