package calibrate

import (
	"math"
	"testing"

	"simhashkit/datasets"
	"simhashkit/fphash"
)

// unsurePairs searches pair by pair beside the least sure bits, by the calls of package fphash.
type unsurePairs struct {
	fingerprints, masks [][]uint64
	drawn               []int // place of a vector in the sample
	found               [kinds]uint64
}

func newUnsurePairs(t *testing.T, hash Hash, set *datasets.CSR[float32]) *unsurePairs {
	t.Helper()
	s, err := hash.sketcher(64, 1)
	if err != nil {
		t.Fatal(err)
	}
	u := &unsurePairs{drawn: make([]int, set.Len())}
	for i := range set.Len() {
		indices, weights := set.Row(i)
		fingerprint, mask, _, err := fphash.AppendMasked(s, nil, nil, 8, indices, weights)
		if err != nil {
			t.Fatal(err)
		}
		u.fingerprints, u.masks = append(u.fingerprints, fingerprint), append(u.masks, mask)
	}
	for place, row := range shuffled(set.Len(), 0) {
		u.drawn[row] = place
	}
	return u
}

func (u *unsurePairs) pair(i, j, kind int) {
	if u.drawn[j] < u.drawn[i] {
		i, j = j, i
	}
	if fphash.Distance(u.fingerprints[i], u.fingerprints[j], u.masks[j]) <= 3 {
		u.found[kind]++
	}
}

// At vectors of 100 features with the weights of words, eight ignored bits find more than the
// plain k that lets as many strangers pass.
func TestUnsureBitsFindMore(t *testing.T) {
	set, _, err := datasets.Generate[float32](t.Context(), datasets.GenerateOptions{
		Seed: 7, Vectors: 1600, NNZ: 100, Dimensions: 10_000_000, Exponent: 0.1, Weights: datasets.TFIDFWeights, Duplicates: []datasets.PlantedPairs{{Cosine: 0.955, Pairs: 400}},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := measure(t, set, Options{Hash: family(t, "xxh64"), Cosine: 0.95})
	own, _ := c.OfWidth(64)
	ignored, plain := float64(c.Unsure.Near)/float64(c.Near), own.Thresholds[c.Unsure.Plain].Recall.Value
	if ignored < 0.6 || ignored > 0.78 || plain > ignored-0.15 {
		t.Errorf("%v found with ignored bits, %v at k = %d, expected about 0.69 and less", ignored, plain, c.Unsure.Plain)
	}
}

func TestUnsureByWidth(t *testing.T) {
	set := generated(t, 3, 200, 5)
	for bits, want := range map[int]*Unsure{8: nil, 15: nil, 16: {K: 3, Ignored: 2, Plain: 4}, 100: {K: 6, Ignored: 12, Plain: 10}, 4096: {K: 192, Ignored: 512, Plain: 313}} {
		hash := family(t, "xxh64")
		hash.Widen = fphash.WidenMix
		got := measure(t, set, Options{Hash: hash, Bits: bits}).Unsure
		if (got == nil) != (want == nil) || got != nil && (got.K != want.K || got.Ignored != want.Ignored || got.Plain != want.Plain) {
			t.Errorf("%d bits: %+v, expected %+v", bits, got, want)
		}
	}
}

// The plain k is that of the binomial distribution, also where its probabilities underflow.
func TestStrangers(t *testing.T) {
	for _, c := range []struct {
		bits, k int
		want    float64
	}{{64, 3, 2.3723e-15}, {64, 5, 4.5014e-13}, {56, 3, 4.0686e-13}, {10, 10, 1}, {4, 2, 11. / 16}, {8, 0, 1. / 256}} {
		if got := math.Exp(strangers(c.bits, c.k)); math.Abs(got/c.want-1) > 1e-3 {
			t.Errorf("%d bits, k = %d: %v, expected %v", c.bits, c.k, got, c.want)
		}
	}
	if got := strangers(4096, 192); !(got < -1900 && got > -2200) {
		t.Errorf("4096 bits: %v", got)
	}
}

func TestMatched(t *testing.T) {
	var thresholds []Threshold
	for k, others := range []uint64{0, 0, 2, 2, 5, 9} {
		thresholds = append(thresholds, Threshold{K: k, Found: float64(others) + 7, Hits: 7})
	}
	for others, want := range map[uint64]int{0: 1, 1: 2, 2: 3, 4: 4, 9: 5} {
		if got := matched(thresholds, others); got != want {
			t.Errorf("%d others: k = %d, expected %d", others, got, want)
		}
	}
}
