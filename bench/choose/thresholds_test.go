package choose

import (
	"math"
	"testing"

	"simhashkit/fphash"
	"simhashkit/internal/binomial"
)

// counted is a comparison of two widths: at k = 2 all of near is found, at k = 4 all of other.
func counted(near, edits uint64, others [2]uint64) *comparison {
	c := &comparison{pairs: &Pairs{All: 100_000, Near: near, Edits: int(edits), related: int(near)}, cosine: 0.9}
	for i, bits := range []int{32, 64} {
		w := &width{bits: bits, keyings: 1, near: make([]uint64, bits+1), edits: make([]uint64, bits+1), other: make([]uint64, bits+1), far: make([]uint64, bits+1)}
		w.near[2], w.edits[1], w.far[1] = near, edits, edits
		w.other[2], w.other[4] = others[i], 100_000-near-others[i]
		c.widths = append(c.widths, w)
	}
	return c
}

// The smallest width that has the wanted precision is taken, else the most precise one. Where the
// file has too few near-duplicates to tell, it is the part of the other pairs that counts.
func TestMeasuredThresholds(t *testing.T) {
	for name, tc := range map[string]struct {
		c    *comparison
		bits int
		real float64 // 0: not known
		met  bool
	}{
		"the first is precise":            {counted(100, 100, [2]uint64{5, 1}), 32, 100.0 / 105, true},
		"the second is precise":           {counted(100, 100, [2]uint64{50, 1}), 64, 100.0 / 101, true},
		"none is precise":                 {counted(100, 100, [2]uint64{50, 40}), 64, 100.0 / 140, false},
		"few pairs, few others":           {counted(29, 100, [2]uint64{9, 1}), 32, 0, true},
		"few pairs, more others":          {counted(29, 100, [2]uint64{11, 1}), 64, 0, true},
		"few pairs, too many others":      {counted(29, 100, [2]uint64{50, 11}), 64, 0, false},
		"few pairs, the first has fewest": {counted(29, 100, [2]uint64{11, 50}), 32, 0, false},
	} {
		a := &Answer{Options: Options{Cosine: 0.9, Recall: 0.95, Precision: 0.95}}
		a.Thresholds, a.Met = a.measuredThresholds(tc.c)
		got := a.Taken()
		if got.Bits != tc.bits || got.K != 2 || a.Met != tc.met || got.Finds != 1 || (got.Real == nil) != (tc.real == 0) || got.Real != nil && math.Abs(*got.Real-tc.real) > 1e-12 {
			t.Errorf("%s: %+v, met %v", name, got, a.Met)
		}
		if got.FindsFar == nil || *got.FindsFar != 1 || got.Low <= 0.9 || got.High != 1 {
			t.Errorf("%s: far %v, %v to %v", name, got.FindsFar, got.Low, got.High)
		}
	}
	// half of the pairs are found at k = 1, so that is what a recall of half takes
	a := &Answer{Options: Options{Cosine: 0.9, Recall: 0.5, Precision: 0.95}}
	if a.Thresholds, _ = a.measuredThresholds(counted(100, 100, [2]uint64{})); a.Taken().K != 1 || a.Taken().Finds != 0.5 {
		t.Errorf("%+v", a.Taken())
	}
}

// Of none in a sample, three of as many are where the interval ends.
func TestFoundAmongMillion(t *testing.T) {
	for found, want := range map[uint64]float64{0: 3, 1: 1, 3: 3, 7: 7} {
		c := counted(0, 50, [2]uint64{found, 0})
		at := c.threshold(c.widths[0], 2)
		if want *= million / 100_000.0 * (million - 1) / 2; at.Found != want || at.AtMost != (found == 0) {
			t.Errorf("%v of 100,000 pairs: %v, at most: %v, expected %v", found, at.Found, at.AtMost, want)
		}
	}
}

// Without vectors the smallest k of each recall is there once, and that of the wanted recall is the
// one to take, also where another recall has the same.
func TestModelledThresholds(t *testing.T) {
	family, err := fphash.Lookup(fphash.DefaultHash)
	if err != nil {
		t.Fatal(err)
	}
	for _, cosine := range []float64{0.6, 0.9, 0.99, 0.99999} {
		near := binomial.OfCosine(64, cosine)
		for _, recall := range []float64{0.3, 0.5, 0.51, 0.8, 0.9, 0.93, 0.95, 0.951, 0.989, 0.99, 0.9999} {
			a := &Answer{Options: Options{Cosine: cosine, Recall: recall}, Hash: family}
			last, taken := -1, -1
			for _, at := range a.modelled(nil) {
				if at.K <= last || at.Finds != near[at.K] {
					t.Errorf("cosine %v, recall %v: k = %d behind %d finds %v", cosine, recall, at.K, last, at.Finds)
				}
				if last = at.K; at.Take {
					if taken >= 0 {
						t.Errorf("cosine %v, recall %v: both %d and %d are to be taken", cosine, recall, taken, at.K)
					}
					taken = at.K
				}
			}
			if taken < 0 || near[taken] < recall || taken > 0 && near[taken-1] >= recall {
				t.Errorf("cosine %v: k = %d is to be taken for a recall of %v", cosine, taken, recall)
			}
		}
	}
}
