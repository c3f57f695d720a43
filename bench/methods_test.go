package bench

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/naive"
	"simhashkit/internal/bench/terms"
)

// The names of the methods are used in older result files, so they must not change.
func TestMethodsSuite(t *testing.T) {
	got := names(t, Options{Suite: "methods", Data: "go-source"})
	for _, name := range []string{
		"Sketch/method=gaussian/dimensions=1000000/weights=f32/f=64/nnz=100",
		"Sketch/method=gaussian/dimensions=10000000/weights=f32/f=64/nnz=100",
		"Sketch/method=signs/dimensions=10000/weights=f32/f=64/nnz=100",
		"Sketch/method=functions/weights=f32/f=64/nnz=100",
		"Sketch/method=naive/weights=f32/f=64/nnz=100",
		"Sketch/hash=xxh64/weights=f32/f=64/kernel=generic/nnz=100",
		"Distance/method=strings/f=64/differing=3",
		"Distance/method=clearing/f=64/differing=32",
		"Distance/method=count/f=64/differing=16",
		"Search/method=postings/f=64/k=3/n=1000000",
		"Search/method=manku/f=64/k=3/tables=20/n=100000",
		"Search/method=permutations/f=64/k=3/permutations=100/n=100000",
		"Search/method=index/f=64/k=3/data=go-source/n=all",
	} {
		if !slices.Contains(got, name) {
			t.Errorf("the suite lacks %s", name)
		}
	}
	if huge := "Search/method=scan/f=64/k=3/n=10000000"; slices.Contains(got, huge) || !slices.Contains(names(t, Options{Suite: "methods", Full: true}), huge) {
		t.Errorf("%s must be in the full suite only", huge)
	}
}

// A matrix that does not fit has no time, and a row with its size.
func TestTooLargeMethods(t *testing.T) {
	o := Options{Suite: "methods", Match: regexp.MustCompile("^Sketch/method=gaussian.*dimensions=10000(000)?/")}
	rows := runQuickly(t, o)
	units := map[string][]string{}
	for _, r := range rows {
		if r.Err != "" {
			t.Errorf("%s: %s", r.Name, r.Err)
		}
		units[r.Name] = append(units[r.Name], r.Unit)
		if r.Unit == terms.BytesStored && strings.Contains(r.Name, "=10000000/") && r.Samples[0].Value != 64*4*1e7 {
			t.Errorf("%s: %v bytes", r.Name, r.Samples[0].Value)
		}
	}
	for name, want := range map[string][]string{
		"Sketch/method=gaussian/dimensions=10000/weights=f32/f=64/nnz=100":    {terms.NanosecondsPerFeature, terms.BytesStored},
		"Sketch/method=gaussian/dimensions=10000000/weights=f32/f=64/nnz=100": {terms.BytesStored},
	} {
		if !slices.Equal(units[name], want) {
			t.Errorf("%s has %v, want %v", name, units[name], want)
		}
	}
}

func runQuickly(t *testing.T, o Options) []resultfile.Row {
	t.Helper()
	plan, err := NewPlan(o)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := plan.Run(t.Context(), nil, RunOptions{Samples: 2, SampleTime: 1})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Searches that lose a match, or find what is not near, have a row with an error.
func TestWrongSearchesAreFound(t *testing.T) {
	c, err := searchedOf(newInputs(nil), "2000")
	if err != nil {
		t.Fatal(err)
	}
	for what, s := range map[string]naive.Searcher{
		"finds everything": everything(2000),
		"loses most":       naive.Scan(c.fingerprints[:100]),
	} {
		m := searchMethod{"broken", nil, true, 8, func([]uint64) (naive.Searcher, error) { return s, nil }, true}
		broken, err := searchTrial(c, m)
		if err != nil {
			t.Fatal(err)
		}
		if err := broken.verify(); err == nil || !strings.Contains(err.Error(), "wrong answer") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

type everything int

func (n everything) AppendWithin(dst []int32, _ uint64) ([]int32, int) {
	for i := range int32(n) {
		dst = append(dst, i)
	}
	return dst, int(n)
}

func (everything) Bytes() int { return 0 }

func TestWrongSignsAreFound(t *testing.T) {
	entry := func(i uint64, j int) float64 { return float64(i) - float64(j) } // 0 for bit i
	indices, weights := []uint64{20}, []float32{2}
	const right = 1<<20 - 1
	for fingerprint, ok := range map[uint64]bool{right: true, right | 1<<20: true, right | 1<<21: false, right >> 1: false} {
		if err := checkSigns(fingerprint, indices, weights, entry); (err == nil) != ok {
			t.Errorf("%x: %v", fingerprint, err)
		}
	}
}
