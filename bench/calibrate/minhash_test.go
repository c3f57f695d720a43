package calibrate

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simhashkit/datasets"
	"simhashkit/fphash"
)

// By MinHash near pairs are those of the Jaccard similarity, counted one by one, and the model is
// that of its bits: half of what two sets do not share differs.
func TestMinHash(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var set datasets.CSR[float32]
	var sets [][]uint64
	for i := range 300 {
		var indices []uint64
		if i%3 > 0 { // shares most with the one before
			indices = append(indices, sets[i-1][:37]...)
		}
		for len(indices) < 40 {
			indices = append(indices, random.Uint64())
		}
		sets = append(sets, indices)
		if err := set.Append(&datasets.Row[float32]{Indices: indices}); err != nil {
			t.Fatal(err)
		}
	}
	near := uint64(0)
	for j := range sets {
		for i := range j {
			both := 0
			for _, index := range sets[i] {
				if slices.Contains(sets[j], index) {
					both++
				}
			}
			if float64(both) >= 0.8*float64(len(sets[i])+len(sets[j])-both) {
				near++
			}
		}
	}
	hash := family(t, fphash.DefaultHash)
	hash.Sketch, set.Weights = fphash.MinHash, nil
	c := measure(t, set, Options{Hash: hash})
	if c.Near != near || near < 100 || c.Cosine != DefaultJaccard {
		t.Errorf("%d near pairs of %v, expected %d of %v", c.Near, c.Cosine, near, DefaultJaccard)
	}
	own, _ := c.OfWidth(64)
	for _, at := range own.Thresholds {
		if off := at.Recall.Value - at.ModelRecall; off > 0.1 || off < -0.1 {
			t.Errorf("k = %d: recall %v, model %v", at.K, at.Recall.Value, at.ModelRecall)
		}
	}
	if !strings.Contains(Report{Calibration: c, Hash: hash}.text(), "others have a Jaccard similarity of 0.8 and above") {
		t.Error("no word of Jaccard")
	}
	set.Weights = make([]float32, set.NNZ())
	if _, err := Measure(t.Context(), &set, Options{Hash: hash}); err == nil {
		t.Error("weights by MinHash: no error")
	}
}
