package main

import (
	"hash/crc32"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// The entries are normal enough, symmetric, and the same on every machine.
func TestQuantiles(t *testing.T) {
	q := quantiles()
	var second, fourth float64
	checksum := crc32.NewIEEE()
	for k, v := range q {
		if v != -q[len(q)-1-k] || k > 0 && v < q[k-1] {
			t.Fatalf("value %d is %v: not symmetric, or not ascending", k, v)
		}
		if steps := float64(v) / unitEntry; steps != math.Trunc(steps) {
			t.Fatalf("value %d is %v, no multiple of %v", k, v, unitEntry)
		}
		x := float64(v)
		second += x * x / float64(len(q))
		fourth += x * x * x * x / float64(len(q))
		bits := math.Float32bits(v)
		checksum.Write([]byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)})
	}
	if math.Abs(second-1) > 2e-4 || math.Abs(fourth-3) > 0.01 {
		t.Errorf("second moment %v, fourth %v, want 1 and 3", second, fourth)
	}
	if got, want := checksum.Sum32(), uint32(0x7baff085); got != want {
		t.Errorf("the values' checksum is %08x, want %08x", got, want)
	}
}

func TestAngle(t *testing.T) {
	indices := []uint64{1, 2, 3, 4}
	for _, tc := range []struct {
		indices []uint64
		x, y    []float32
		degrees float64
	}{
		{indices, []float32{1, 2, 3, 4}, []float32{1, 2, 3, 4}, 0},
		{indices, []float32{1, 2, 3, 4}, []float32{-1, -2, -3, -4}, 180},
		{[]uint64{5, 6, 7, 8}, []float32{1, 2, 3, 4}, []float32{1, 2, 3, 4}, 90},
		{[]uint64{1, 2, 7, 8}, []float32{1, 1, 1, 1}, []float32{1, 1, 1, 1}, 60},
		{indices, []float32{1, 1, 1, 1}, []float32{1, 1, -1, -1}, 90},
	} {
		if got := angle(indices, tc.x, tc.indices, tc.y) * 180 / math.Pi; math.Abs(got-tc.degrees) > 1e-9 {
			t.Errorf("%v and %v: %v degrees, want %v", tc.x, tc.y, got, tc.degrees)
		}
	}
}

// constantMethod gives every vector a fingerprint that its first weight names.
type constantMethod struct{ Method }

func (constantMethod) Append(dst, _ []uint64, weights []float32) []uint64 {
	return append(dst, uint64(1)<<uint(weights[0])-1)
}

// Two pairs under two keyings, worked out by hand: distances 16 and 32 of 64 are estimates of π/4
// and π/2.
func TestTally(t *testing.T) {
	p := &pairs{x: vectors{1, []uint64{1, 1}, []float32{1, 1}}, y: vectors{1, []uint64{1, 1}, []float32{17, 33}}, angles: []float64{math.Pi/4 - 0.1, math.Pi/2 - 0.3}}
	a := tally{pairs: p, bits: 64}
	a.add(constantMethod{}) // errors 0.1, 0.3
	p.y.weights = []float32{17, 17}
	p.angles = []float64{math.Pi/4 - 0.1, math.Pi/4 - 0.1}
	a.add(constantMethod{}) // errors 0.1, 0.1: the pairs' means are 0.1 and 0.2
	got, want := a.accuracy(), Accuracy{RMSE: math.Sqrt(0.03), Bias: 0.15, Systematic: math.Sqrt(0.02)}
	want.IdealRMSE = math.Sqrt((math.Pi/4 - 0.1) * (math.Pi*3/4 + 0.1) / 64)
	for _, f := range [][2]float64{
		{got.RMSE, want.RMSE}, {got.Bias, want.Bias}, {got.Systematic, want.Systematic}, {got.IdealRMSE, want.IdealRMSE},
	} {
		if math.Abs(f[0]-f[1]) > 1e-12 {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
}

// estimated is an accuracy with the standard errors of its figures, from the differences between
// keyings: pairs have features, so entries, in common, and tell less together than their number
// says.
type estimated struct {
	Accuracy
	rmseError, biasError float64
}

// accuracyOf measures one method without the harness.
func accuracyOf(t *testing.T, m Method, c Case, n, keyings int) estimated {
	t.Helper()
	a := tally{pairs: newPairs(c, n), bits: c.Bits}
	for keying := range keyings {
		if err := m.Prepare(c.Dimensions, uint64(keying)); err != nil {
			t.Fatal(err)
		}
		a.add(m)
	}
	standardError := func(sums []float64) float64 {
		for i := range sums {
			sums[i] /= float64(n)
		}
		return stat.StdErr(stat.StdDev(sums, nil), float64(keyings))
	}
	e := estimated{Accuracy: a.accuracy(), biasError: standardError(a.sums)}
	e.rmseError = standardError(a.squares) / (2 * e.RMSE) // of the root, by its derivative
	return e
}

// deadBits has bits that are always 0, as widths beyond a hash's have in some systems.
type deadBits struct {
	Method
	live uint64
}

func (d deadBits) Append(dst, indices []uint64, weights []float32) []uint64 {
	dst = d.Method.Append(dst, indices, weights)
	dst[len(dst)-1] &= d.live
	return dst
}

// Normal entries have no bias and the error of independent bits, also with few features; signs have
// a systematic error there, and hashes are like stored signs. What is worse is seen.
func TestAccuracyIsWhatTheorySays(t *testing.T) {
	few, many := Case{Gaussian, 64, 5000, uniform, 4}, Case{Gaussian, 64, 5000, uniform, 200}
	for _, c := range []Case{few, many} {
		g := accuracyOf(t, prepared(t, Gaussian, 64, 1, 0), c, 200, 24)
		if math.Abs(g.Bias) > 4*g.biasError || math.Abs(g.RMSE-g.IdealRMSE) > 4*g.rmseError || g.Systematic > 0.03 {
			t.Errorf("%v: %+v", c.Name(), g)
		}
		for _, name := range Methods()[1:] {
			c.Method = name
			s := accuracyOf(t, prepared(t, name, 64, 1, 0), c, 200, 24)
			if c.NNZ == few.NNZ && s.Systematic < 0.1 || c.NNZ == many.NNZ && (s.Systematic > 0.03 || math.Abs(s.RMSE-s.IdealRMSE) > 4*s.rmseError) {
				t.Errorf("%v: %+v; normal entries: %+v", c.Name(), s, g)
			}
		}
	}
	broken := accuracyOf(t, deadBits{prepared(t, Gaussian, 64, 1, 0), 1<<60 - 1}, many, 200, 24)
	if math.Abs(broken.Bias) < 4*broken.biasError {
		t.Errorf("4 dead bits are not seen: %+v", broken)
	}
}

// The figures of one case, as any machine must find them to 8 digits.
func TestFiguresAreTheSameEverywhere(t *testing.T) {
	want := map[string][3]float64{ // RMSE, bias, systematic
		"gaussian uniform":       {0.137052051, 0.009572528991, 0.04157629469},
		"gaussian zipf":          {0.1298699597, -0.0190192422, 0},
		"rademacher uniform":     {0.1253365134, 0.02569937128, 0},
		"rademacher zipf":        {0.1327422418, -0.003939597465, 0.01581135747},
		"hash-per-bit uniform":   {0.1398506869, -0.003203281134, 0},
		"hash-per-bit zipf":      {0.1361770521, 0.01428163993, 0.05851457566},
		"hash-per-index uniform": {0.1352524083, -0.001318325541, 0.03519286209},
		"hash-per-index zipf":    {0.1363431865, -0.00833782718, 0},
	}
	atEachTier(t, func(t *testing.T) {
		for _, name := range Methods() {
			for _, pattern := range Patterns() {
				c := Case{name, 100, 3000, pattern, 30}
				a := accuracyOf(t, prepared(t, name, 100, 1, 0), c, 50, 3)
				for i, got := range [3]float64{a.RMSE, a.Bias, a.Systematic} {
					if w := want[name+" "+pattern][i]; math.Abs(got-w) > 5e-9*math.Abs(w) {
						t.Errorf("%s %s: figure %d is %.10g, want %.10g", name, pattern, i, got, w)
					}
				}
			}
		}
	})
}
