package quality

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"simhashkit/datasets"
	"simhashkit/internal/testing/long"
)

// Angles are exact, uniform over the range as far as they are to be, and half of the pairs are
// near.
func TestAngles(t *testing.T) {
	for i, pattern := range Patterns() {
		for j, weights := range AllWeights() {
			if !long.Enabled() && (i+j)%2 == 1 {
				continue
			}
			w := generate(t, WorkloadOptions{Pattern: pattern, Weights: weights})
			var uniform []float64
			for _, p := range w.pairs {
				row := func(i int) ([]uint64, []float64) {
					from, to := w.set.offsets[i], w.set.offsets[i+1]
					return w.set.positions[from:to], w.set.weights[from:to]
				}
				ai, aw := row(p.a)
				bi, bw := row(p.b)
				if c := datasets.Cosine(ai, aw, bi, bw); math.Abs(c-p.cosine) > 1e-12 || math.Abs(c-math.Cos(p.angle)) > 1e-12 || p.angle < 1e-4 {
					t.Fatalf("%s %s: cosine %v, angle %v, want %v", pattern, weights, p.cosine, p.angle, c)
				}
				if !slices.IsSorted(ai) || len(slices.Compact(slices.Clone(ai))) != len(ai) || len(ai) < leastFeatures || len(ai) > mostFeatures ||
					slices.Contains(bw, 0) {
					t.Fatalf("%s %s: positions %v, weights %v", pattern, weights, ai, bw)
				}
				if p.uniform {
					uniform = append(uniform, p.angle)
				}
			}
			for i, angle := range uniform {
				// The dominating weight leaves gaps, and with 50 equal weights no angle is below
				// 0.2.
				want := weights.most() * (float64(i) + 0.5) / float64(len(uniform))
				if math.Abs(angle-want) > 0.1 && weights != Dominated && want > 0.25 {
					t.Fatalf("%s %s: angle %d is %.3f, want about %.3f", pattern, weights, i, angle, want)
				}
			}
			if all, near := bandPairs(w); all != 600 || near < 450 {
				t.Errorf("%s %s: %d pairs over all angles, %d near", pattern, weights, all, near)
			}
		}
	}
}

func TestPatternsKeepTheirPattern(t *testing.T) {
	for _, pattern := range append(Patterns(), ListedKeys) {
		o := WorkloadOptions{Pattern: pattern, ListedKeys: 20_000}
		first := make([]uint64, o.size())
		for keying := range uint64(3) {
			indices := make([]uint64, o.size())
			o.fill(indices, newRandom(0, forIndices, keying))
			sorted := slices.Sorted(slices.Values(indices))
			if len(slices.Compact(slices.Clone(sorted))) != len(indices) {
				t.Errorf("%s: an index occurs twice", pattern)
			}
			if slices.Equal(indices, first) {
				t.Errorf("%s: keying %d is the one before", pattern, keying)
			}
			copy(first, indices)
			for i, index := range indices {
				ok := true
				switch pattern {
				case Uniform1e7:
					ok = index < 1e7
				case ListedKeys:
					ok = index < 20_000
				case Dense1e3:
					ok = index == indices[0]+uint64(i) && index < 2000
				case Consecutive:
					ok = index == indices[0]+uint64(i) && index < 1e7+wide
				case Strided:
					ok = index == indices[0]+1024*uint64(i)
				case Pow2:
					ok = bits.OnesCount64(index) == 1 || bits.OnesCount64(index) == 2
				case BitRev:
					ok = bits.Reverse64(index) == bits.Reverse64(indices[0])+uint64(i)
				}
				if !ok {
					t.Fatalf("%s: index %d of keying %d is %d", pattern, i, keying, index)
				}
			}
		}
	}
}

func TestWeightsAreWhatTheySay(t *testing.T) {
	for _, kind := range AllWeights() {
		w := make([]float64, 100)
		kind.fill(w, newRandom(1, 2, 3))
		for _, x := range w {
			if x*1024 != math.Trunc(x*1024) || x == 0 || x < 0 && kind != Signed || x != math.Trunc(x) && (kind == Unit || kind == Counts) {
				t.Errorf("%s: %v", kind, x)
			}
		}
		if rest := squares(w[1:]); kind == Dominated && math.Abs(w[0]*w[0]/rest-1) > 1e-3 {
			t.Errorf("the dominating weight is %v, the others %v", w[0], math.Sqrt(rest))
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []WorkloadOptions{
		{}, {Pattern: Data, Weights: Unit}, {Pattern: Pow2, Weights: "heavy"}, {Pattern: "random", Weights: Unit}, {Pattern: Pow2, Weights: Unit, Pairs: -1},
	} {
		if _, err := Generate(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}
