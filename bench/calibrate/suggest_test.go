package calibrate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"simhashkit/datasets"
)

// rows makes a set of vectors with weights.
func rows(t *testing.T, list ...[]float64) datasets.CSR[float64] {
	t.Helper()
	set := datasets.CSR[float64]{}
	for _, weights := range list {
		row := datasets.Row[float64]{}
		for i, w := range weights {
			if w != 0 {
				row.Indices, row.Weights = append(row.Indices, uint64(i)), append(row.Weights, w)
			}
		}
		if err := set.Append(&row); err != nil {
			t.Fatal(err)
		}
	}
	return set
}

// Where the vectors cannot support a suggestion there is none, and the reason is said.
func TestNoSuggestion(t *testing.T) {
	same, near, far := make([][]float64, 20), make([][]float64, 40), make([][]float64, 40)
	for i := range same {
		same[i] = []float64{1, 2, 3}
	}
	for i := range near {
		near[i], far[i] = make([]float64, 50), make([]float64, 50)
		near[i][0], near[i][i+1] = 100, 1
		far[i][i] = 1
	}
	mixed := append(append([][]float64{}, far...), far[0], far[0])
	for _, tc := range []struct {
		name string
		set  datasets.CSR[float64]
		want string
	}{
		{"none", rows(t), "there are no vectors"},
		{"one", rows(t, []float64{1}), "one vector makes no pair"},
		{"empty", rows(t, nil, nil, nil), "of 3 vectors only 0 are neither empty nor all zero"},
		{"all but one empty", rows(t, nil, []float64{1}, nil), "of 3 vectors only 1 is neither empty nor all zero"},
		{"two", rows(t, []float64{1}, []float64{0, 1}), "among 2 vectors there are no pairs of a cosine of 0.9 and above; at least 30"},
		{"equal", rows(t, same...), "the vectors are too similar: among 20 vectors all pairs are copies"},
		{"near", rows(t, near...), "the vectors are too similar: among 40 vectors there are no pairs of a cosine below 0.9"},
		{"far", rows(t, far...), "among 40 vectors there are no pairs of a cosine of 0.9 and above"},
		{"copies", rows(t, mixed...), "there are no pairs of a cosine of 0.9 and above that are no copies (and 3 that are); at least 30 are needed"},
	} {
		c := measure(t, tc.set, Options{Hash: family(t, "xxh64")})
		if c.Suggestion != nil || !strings.Contains(c.Note, tc.want) {
			t.Errorf("%s: suggestion %+v, note %q, want %q", tc.name, c.Suggestion, c.Note, tc.want)
		}
		if _, err := json.Marshal(c); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	set := generated(t, 4, 400, 20)
	c := measure(t, set, Options{Hash: family(t, "xxh64"), Vectors: 30})
	if c.Suggestion != nil || !strings.Contains(c.Note, "a sample of 30 of 400 vectors") || !strings.HasSuffix(c.Note, "; a larger sample has more") {
		t.Errorf("note %q", c.Note)
	}
}

// The smallest width whose threshold of the wanted recall is precise enough; without one, the
// k of the recall at the wanted width, and what comes nearest.
func TestSuggestion(t *testing.T) {
	set := generated(t, 6, 900, 60)
	easy := measure(t, set, Options{Hash: family(t, "xxh64"), Recall: 0.9, Precision: 0.5})
	if easy.Suggestion == nil || easy.Note != "" {
		t.Fatalf("no suggestion: %s", easy.Note)
	}
	for _, w := range easy.Widths {
		t0 := w.Thresholds[w.Least]
		if fits := t0.Recall.Value >= 0.9 && t0.Precision.Value >= 0.5; fits != w.Fits {
			t.Errorf("%d bits: fits %v, %+v", w.Bits, w.Fits, t0)
		}
		if w.Fits {
			sure := t0.Recall.Low >= 0.9 && t0.Precision.Low >= 0.5
			if want := (Choice{w.Bits, int(w.Least), w.Widen, true, sure}); *easy.Suggestion != want {
				t.Errorf("suggestion %+v, want %+v", *easy.Suggestion, want)
			}
			break
		}
	}
	hard := measure(t, set, Options{Hash: family(t, "xxh64"), Recall: 1, Precision: 1, Cosine: 0.96})
	nearest := hard.Widths[3]
	if want := (Choice{256, int(nearest.Least), "mix", false, false}); hard.Suggestion == nil || *hard.Suggestion != want || !strings.HasPrefix(hard.Note, "no width from 32 to 256 bits finds 100%") {
		t.Errorf("suggestion %+v, want %+v, note %q", hard.Suggestion, want, hard.Note)
	}
}

// Every step of recall has the smallest threshold that reaches it, each threshold once.
func TestAttainable(t *testing.T) {
	c := measure(t, generated(t, 6, 900, 60), Options{Hash: family(t, "xxh64"), Recall: 0.85})
	w, ok := c.OfWidth(64)
	if _, absent := c.OfWidth(63); !ok || absent {
		t.Fatal("64 bits were tried, 63 were not")
	}
	list := c.Attainable(w)
	for i, at := range list {
		if i > 0 && at.K <= list[i-1].K {
			t.Errorf("k = %d after %d", at.K, list[i-1].K)
		}
	}
	for _, recall := range []float64{0.5, 0.8, 0.85, 0.9, 0.95, 0.99} {
		i := slices.IndexFunc(list, func(at Threshold) bool { return at.Recall.Value >= recall })
		if i < 0 || list[i].K > 0 && w.Thresholds[list[i].K-1].Recall.Value >= recall {
			t.Errorf("recall %v: not by the smallest k of %v", recall, list)
		}
	}
	if n := c.FoundAmong(w.Thresholds[64], float64(c.Used)); math.Abs(n-float64(c.Pairs-c.Copies)) > 1e-6 {
		t.Errorf("at 64 bits all pairs but copies are found, not %v of %d", n, c.Pairs-c.Copies)
	}
	none := measure(t, rows(t, []float64{1}, []float64{0, 1}), Options{Hash: family(t, "xxh64")})
	if list := none.Attainable(none.Widths[0]); len(list) > 0 {
		t.Errorf("no near-duplicates, but %v", list)
	}
}

// The model of orthogonal vectors is the binomial distribution of fair bits.
func TestModel(t *testing.T) {
	m := Model(4, 0)
	for k, want := range []float64{1. / 16, 5. / 16, 11. / 16, 15. / 16, 1} {
		if math.Abs(m[k]-want) > 1e-12 {
			t.Errorf("k = %d: %v, want %v", k, m[k], want)
		}
	}
}

// Widths beyond the hash are tried by a way that suits it, and a hash that none suits has only
// those it has.
func TestWidths(t *testing.T) {
	set := generated(t, 7, 300, 20)
	for _, tc := range []struct {
		hash string
		bits int
		want string
	}{
		{"xxh64", 64, "32 none 64 none 128 mix 256 mix"}, {"sha1", 64, "32 none 64 none 128 none 256 counter"}, {"crc32c", 32, "16 none 32 none"},
		{"xxh64", 8, "8 none 16 none 32 none"}, {"xxh64", 1, "1 none"},
	} {
		c := measure(t, set, Options{Hash: family(t, tc.hash), Bits: tc.bits})
		var got []string
		for _, w := range c.Widths {
			got = append(got, fmt.Sprint(w.Bits, " ", cmp.Or(w.Widen, "none")))
		}
		if s := strings.Join(got, " "); s != tc.want {
			t.Errorf("%s, %d bits: %s, want %s", tc.hash, tc.bits, s, tc.want)
		}
	}
}
