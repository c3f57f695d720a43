package join

import (
	"sync/atomic"
	"testing"

	"simhashkit/fphash/index"
)

// Equal and near fingerprints are joined with few comparisons, also where the plan is a scan: the
// widths and k are those of texts at a similarity of 0.7, and of vectors at 0.8.
func TestComparisonsOfCopies(t *testing.T) {
	t.Parallel()
	r := newRandom(21)
	for _, c := range []struct{ width, k, n int }{{64, 26, 32000}, {128, 52, 32000}, {128, 41, 20000}, {64, 64, 20000}} {
		some := c.n / 8
		for name, s := range map[string]struct {
			set  *index.Set
			most int // comparisons; a single fingerprint needs none
		}{
			"equal":        {repeated(randomSet(c.width, 1, r), c.n), 0},
			"mostly equal": {joined(repeated(randomSet(c.width, 1, r), c.n-some), randomSet(c.width, some, r)), 2 * some * some},
			"near":         {scattered(c.width, c.n, min(c.k, 16), r), 64 * c.n},
		} {
			t.Run(name, func(t *testing.T) {
				var compared atomic.Int64
				j := &Join{Set: s.set, K: c.k, compared: &compared}
				if p, err := j.Plan(); err != nil || p.Tables > 0 || p.Blocks > 0 {
					t.Fatalf("%v, %v: expected a scan", p, err)
				}
				g, err := j.Groups(t.Context())
				if err != nil || g.Len() == 0 || len(g.At(0)) < c.n-some {
					t.Fatalf("%v: %v groups, expected one with most fingerprints", err, g.Len())
				}
				if n := compared.Load(); (n == 0) != (s.most == 0) || n > int64(s.most) {
					t.Errorf("%d of %d bits: %d comparisons of %d fingerprints, expected at most %d", c.k, c.width, n, c.n, s.most)
				}
			})
		}
	}
}

// The progress of a scan of distinct fingerprints ends at 1.
func TestProgressOfCopies(t *testing.T) {
	t.Parallel()
	last := 0.0
	j := &Join{Set: repeated(randomSet(64, 1, newRandom(23)), 10*scanRows), K: 26, Progress: func(done float64) { last = done }}
	if _, err := j.Groups(t.Context()); err != nil || last != 1 {
		t.Errorf("progress ended at %v, %v, expected 1", last, err)
	}
}
