package calibrate

import (
	"math"
	"slices"
	"testing"

	"simhashkit/datasets"
	"simhashkit/fphash"
)

// unsurePairs finds pair by pair what the sums of one vector say, by the calls of package fphash.
type unsurePairs struct {
	fingerprints, masks [][]uint64
	queries             []fphash.Estimator
	drawn               []int // place of a vector in the sample
	found               [kinds]uint64
	cosines             []float64
	within              []bool
	byDistance, bySums  []float64 // errors
}

func newUnsurePairs(t *testing.T, hash Hash, set *datasets.CSR[float32]) *unsurePairs {
	t.Helper()
	s, err := hash.sketcher(64, 1)
	if err != nil {
		t.Fatal(err)
	}
	u := &unsurePairs{queries: make([]fphash.Estimator, set.Len()), drawn: make([]int, set.Len())}
	for i := range set.Len() {
		indices, weights := set.Row(i)
		fingerprint, mask, _, err := fphash.AppendMasked(s, nil, nil, 8, indices, weights)
		if err != nil {
			t.Fatal(err)
		}
		u.fingerprints, u.masks = append(u.fingerprints, fingerprint), append(u.masks, mask)
		if _, err := fphash.Query(s, &u.queries[i], indices, weights); err != nil {
			t.Fatal(err)
		}
	}
	for place, row := range shuffled(set.Len(), 0) {
		u.drawn[row] = place
	}
	return u
}

func (u *unsurePairs) pair(i, j, kind int, cosine float64) {
	if u.drawn[j] < u.drawn[i] {
		i, j = j, i
	}
	within := fphash.Distance(u.fingerprints[i], u.fingerprints[j], u.masks[j]) <= 3
	if within {
		u.found[kind]++
	}
	u.cosines, u.within = append(u.cosines, cosine), append(u.within, within)
	u.byDistance = append(u.byDistance, fphash.Cosine(fphash.Distance(u.fingerprints[i], u.fingerprints[j]), 64)-cosine)
	u.bySums = append(u.bySums, u.queries[j].Cosine(u.fingerprints[i])-cosine)
}

func (u *unsurePairs) check(t *testing.T, got *Calibration) {
	t.Helper()
	if f := got.Unsure; f == nil || f.K != 3 || f.Ignored != 8 || f.Plain != 5 || f.Near != u.found[duplicate] || f.Others != u.found[other] {
		t.Errorf("%+v, expected k = 3, 8 bits, plain k = 5 and %d found", f, u.found)
	}
	for _, b := range got.Bands {
		if b.Copies {
			continue
		}
		found, pairs, distance, sums := 0, 0, 0.0, 0.0
		for p, cosine := range u.cosines {
			if cosine >= b.Low && cosine < b.High {
				pairs++
				if u.within[p] {
					found++
				}
				distance += u.byDistance[p] * u.byDistance[p]
				sums += u.bySums[p] * u.bySums[p]
			}
		}
		if b.Low < min(0.6, got.Cosine) {
			distance, sums = 0, 0
		}
		n := float64(pairs)
		if b.WithinUnsure != float64(found)/n || math.Abs(b.ErrorDistance-math.Sqrt(distance/n)) > 1e-4 || math.Abs(b.ErrorSums-math.Sqrt(sums/n)) > 1e-4 {
			t.Errorf("from cosine %v on: %v found, errors %v and %v, expected %d of %v, %v and %v", b.Low, b.WithinUnsure, b.ErrorDistance, b.ErrorSums, found, n, math.Sqrt(distance/n), math.Sqrt(sums/n))
		}
	}
}

// At vectors of 100 features with the weights of words, eight ignored bits find more than the k
// that lets as many strangers pass, and the error of the cosine is about half of that by the
// distance.
func TestUnsureBitsFindMore(t *testing.T) {
	set, _, err := datasets.Generate[float32](t.Context(), datasets.GenerateOptions{
		Seed: 7, Vectors: 1600, NNZ: 100, Dimensions: 10_000_000, Exponent: 0.1, Weights: datasets.TFIDFWeights, Duplicates: []datasets.PlantedPairs{{Cosine: 0.982, Pairs: 400}, {Cosine: 0.955, Pairs: 400}},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := measure(t, set, Options{Hash: family(t, "xxh64")})
	for _, want := range []struct{ low, ignored, plain, times float64 }{{0.98, 0.96, 0.84, 1.8}, {0.95, 0.69, 0.46, 1.5}} {
		i := slices.IndexFunc(c.Bands, func(b Band) bool { return b.Low == want.low })
		if i < 0 {
			t.Fatalf("no pairs from cosine %v on", want.low)
		}
		b := c.Bands[i]
		if math.Abs(b.WithinUnsure-want.ignored) > 0.06 || math.Abs(b.Within[c.Unsure.Plain]-want.plain) > 0.06 || b.ErrorDistance < want.times*b.ErrorSums {
			t.Errorf("from cosine %v on %v are found with ignored bits, %v at k = %d, expected about %v and %v; errors %v and %v", want.low, b.WithinUnsure, b.Within[c.Unsure.Plain],
				c.Unsure.Plain, want.ignored, want.plain, b.ErrorDistance, b.ErrorSums)
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
