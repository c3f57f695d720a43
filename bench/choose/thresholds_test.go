package choose

import (
	"testing"

	"simhashkit/bench/calibrate"
	"simhashkit/fphash"
)

// Of none in a sample, three of as many are where the interval ends.
func TestFoundAmongMillion(t *testing.T) {
	c := &calibrate.Calibration{Pairs: 1010, Copies: 10}
	for found, want := range map[float64]float64{0: 3, 1: 1, 3: 3, 7: 7} {
		got, atMost := foundAmongMillion(c, calibrate.Threshold{Found: found})
		if want *= million / 1000 * (million - 1) / 2; got != want || atMost != (found == 0) {
			t.Errorf("%v of 1000 pairs: %v, at most: %v, expected %v", found, got, atMost, want)
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
		near := calibrate.Model(64, cosine)
		for _, recall := range []float64{0.3, 0.5, 0.51, 0.8, 0.9, 0.93, 0.95, 0.951, 0.989, 0.99, 0.9999} {
			a := &Answer{Options: Options{Cosine: cosine, Recall: recall}, Hash: calibrate.Hash{Family: family}}
			last, taken := -1, -1
			for _, at := range a.modelled() {
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
