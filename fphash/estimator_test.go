package fphash

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// cosineOracle is the estimate by the formula.
func cosineOracle[T int64 | float32 | float64](sums []T, fingerprint []uint64) float64 {
	differ, squares, greatest := 0.0, 0.0, 0.0
	for _, v := range sums {
		greatest = max(greatest, math.Abs(float64(v)))
	}
	for j, v := range sums {
		x := float64(v) / greatest
		squares += x * x
		if (v > 0) != (fingerprint[j/64]>>(j%64)&1 == 1) {
			differ += math.Abs(x)
		}
	}
	return 1 - math.Sqrt(2*math.Pi)*differ/(math.Sqrt(float64(len(sums)))*math.Sqrt(squares))
}

func TestEstimatorAgainstTheFormula(t *testing.T) {
	atEachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(51, 52))
		for _, width := range maskWidths() {
			s := mustNew(t, append(width, WithTie(Tie(r.IntN(3))), WithOrder(Order(r.IntN(2))))...)
			var e Estimator // for one query after the other
			for _, n := range []int{1, 2, 30, 137} {
				indices := randomIndices(r, n)
				k := []kind{ordinary, extreme, tied}[r.IntN(3)]
				testEstimator(t, s, &e, r, indices, randomWeights[int32](r, k, n), wholeNumbers)
				testEstimator(t, s, &e, r, indices, randomWeights[int64](r, k, n), wholeNumbers)
				testEstimator(t, s, &e, r, indices, randomWeights[float32](r, k, n), func(w float32) float32 { return w })
				testEstimator(t, s, &e, r, indices, randomWeights[float64](r, k, n), func(w float64) float64 { return w })
			}
		}
	})
}

// testEstimator compares the estimates for random fingerprints, by every way to a query.
func testEstimator[W Weight, T int64 | float32 | float64](t *testing.T, s *Sketcher, e *Estimator, r *rand.Rand, indices []uint64, weights []W, lane func(W) T) {
	t.Helper()
	wide, units := make([]T, len(weights)), make([]T, len(weights))
	for i, w := range weights {
		wide[i], units[i] = lane(w), 1
	}
	fingerprints := make([]uint64, 3*s.words)
	for word := range fingerprints {
		fingerprints[word] = r.Uint64()
		if word%s.words == s.words-1 {
			fingerprints[word] &= s.lastMask
		}
	}
	check := func(what string, status Status, err error, sums []T) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		all := e.AppendCosines([]float64{5}, fingerprints)
		for i := range 3 {
			fingerprint := fingerprints[i*s.words:][:s.words]
			want := 0.0
			if status == Informative {
				want = cosineOracle(sums, fingerprint)
			}
			got := e.Cosine(fingerprint)
			if !(math.Abs(got-want) <= 1e-12) || all[1+i] != got || all[0] != 5 || len(all) != 4 {
				t.Fatalf("%s, %s, %d bits, %d features of %T, %v: %v and %v, expected %v", what, s.family.Name, s.bits, len(indices), weights, status, got, all, want)
			}
		}
		if status == Informative {
			// sums of 0 cost nothing, whatever the tie rule makes of them
			own := positiveSums(sums, s.words)
			if got := e.Cosine(own); got != 1 {
				t.Fatalf("%s: no bit differs, and the estimate is %v", what, got)
			}
		}
	}
	status, err := Query(s, e, indices, weights)
	check("Query", status, err, sumsOracle(s, indices, wide))
	counted := NewAccumulator[int64](s.Local())
	Add(counted, 1, indices...)
	status, err = counted.Query(e)
	check("Accumulator.Query of weights 1", status, err, sumsOracle(s, indices, units))
	a := NewAccumulator[W](s)
	AddVector(a, indices, weights)
	status, err = a.Query(e)
	check("Accumulator.Query", status, err, sumsOracle(s, indices, wide))
}

// positiveSums are the signs of the sums: 1 where a sum is greater than 0.
func positiveSums[T int64 | float32 | float64](sums []T, words int) []uint64 {
	signs := make([]uint64, words)
	for j, v := range sums {
		if v > 0 {
			signs[j/64] |= 1 << (j % 64)
		}
	}
	return signs
}

// The least estimate is 1-√(2π), reached where all sums are equal and all bits differ.
func TestEstimatesAreNotClamped(t *testing.T) {
	s := mustNew(t)
	var e Estimator
	if _, err := Query(s, &e, []uint64{1}, []int{1}); err != nil {
		t.Fatal(err)
	}
	own, _, _ := AppendUnit(s, nil, []uint64{1})
	if got, want := e.Cosine([]uint64{^own[0]}), 1-math.Sqrt(2*math.Pi); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, expected %v", got, want)
	}
}

// Weights that are all greater or smaller by a power of two, up to where squares overflow or
// vanish, give the same estimates.
func TestEstimatesKnowNoScale(t *testing.T) {
	s := mustNew(t)
	indices := randomIndices(rand.New(rand.NewPCG(53, 54)), 50)
	var want uint64
	for _, exponent := range []int{0, 1000, -1000, 500, 3} {
		weights := make([]float64, len(indices))
		for i := range weights {
			weights[i] = math.Ldexp(1+float64(i)/8, exponent)
		}
		var e Estimator
		if status, err := Query(s, &e, indices, weights); status != Informative || err != nil {
			t.Fatal(status, err)
		}
		got := math.Float64bits(e.Cosine([]uint64{0x123456789abcdef}))
		if exponent == 0 {
			want = got
		}
		if got != want {
			t.Errorf("times 2^%d: %v, expected %v", exponent, math.Float64frombits(got), math.Float64frombits(want))
		}
	}
}

// A query that says nothing makes all cosines 0, also after one that says something.
func TestQueryThatSaysNothing(t *testing.T) {
	s := mustNew(t, WithBits(70), WithWiden(WidenMix))
	for name, v := range map[string]struct {
		weights []float32
		status  Status
	}{"empty": {nil, NoInformation}, "cancelled": {[]float32{1, -1}, NoInformation}, "not finite": {[]float32{1, float32(math.NaN())}, NotFinite}} {
		var e Estimator
		Query(s, &e, []uint64{1, 2, 3}, []float32{1, 2, 3})
		status, err := Query(s, &e, make([]uint64, len(v.weights)), v.weights)
		if err != nil || status != v.status {
			t.Errorf("%s: %v, %v", name, status, err)
		}
		if got := e.AppendCosines(nil, []uint64{0, 0, ^uint64(0), 63}); len(got) != 2 || got[0] != 0 || got[1] != 0 {
			t.Errorf("%s: cosines %v, expected 0", name, got)
		}
		if Query(s, &e, []uint64{1}, []float32{1}); e.Cosine(e.signs) != 1 {
			t.Errorf("%s: the next query's estimate is %v, expected 1", name, e.Cosine(e.signs))
		}
	}
}

// Every machine computes the same bits.
func TestFrozenEstimates(t *testing.T) {
	indices, weights := make([]uint64, 100), make([]float32, 100)
	for i := range indices {
		indices[i], weights[i] = uint64(i*i), 1+float32(i%7)/8
	}
	atEachTier(t, func(t *testing.T) {
		var e Estimator
		if _, err := Query(mustNew(t), &e, indices, weights); err != nil {
			t.Fatal(err)
		}
		for fingerprint, want := range map[uint64]uint64{0: 0xbf7d4f90df0f5900, ^uint64(0): 0xbf91de353df85a80, 0x0123456789abcdef: 0x3fcaa6a626cbf338} {
			if got := e.Cosine([]uint64{fingerprint}); math.Float64bits(got) != want {
				t.Errorf("%x: %v, %#x, expected %#x", fingerprint, got, math.Float64bits(got), want)
			}
		}
		if _, err := Query(mustNew(t, WithHash("md5"), WithBits(100)), &e, indices, weights); err != nil {
			t.Fatal(err)
		}
		if got, want := math.Float64bits(e.Cosine([]uint64{0x0123456789abcdef, 5})), uint64(0xbfd553f8300d6dd8); got != want {
			t.Errorf("100 bits: %#x, expected %#x", got, want)
		}
	})
}

func TestEstimatorMisuse(t *testing.T) {
	s := mustNew(t, WithBits(70), WithWiden(WidenMix))
	var e Estimator
	wantPanic(t, "Cosine", noQuery, func() { e.Cosine([]uint64{0, 0}) })
	wantPanic(t, "AppendCosines", noQuery, func() { e.AppendCosines(nil, nil) })
	if _, err := Query(s, &e, []uint64{1, 2, 3}, []int{1, 1, 1}); err != nil {
		t.Fatal(err)
	}
	before := e.Cosine([]uint64{1, 2})
	if _, err := Query(s, &e, []uint64{1}, []int{1, 2}); fmt.Sprint(err) != "fphash: len(features) is 1 but len(weights) is 2" {
		t.Error(err)
	}
	integers := mustNew(t, WithHash("splitmix64"))
	if _, err := Query(integers, &e, []string{"x"}, []int{1}); err == nil {
		t.Error("splitmix64 takes words")
	}
	if got := e.Cosine([]uint64{1, 2}); got != before {
		t.Errorf("after an error the estimate is %v, expected %v as before", got, before)
	}
	wantPanic(t, "short fingerprint", "fphash: 1 words, expected 2", func() { e.Cosine([]uint64{1}) })
	wantPanic(t, "cut off", "fphash: 3 words are no fingerprints of 2", func() { e.AppendCosines(nil, []uint64{1, 2, 3}) })
}
