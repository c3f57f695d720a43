package datasets

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// naiveCosine sums repeats in maps, so its order of summation is random.
func naiveCosine[W Weight](aIndices []uint64, aWeights []W, bIndices []uint64, bWeights []W) float64 {
	toMap := func(indices []uint64, weights []W) map[uint64]float64 {
		m := map[uint64]float64{}
		for i, index := range indices {
			if weights == nil {
				m[index]++
			} else {
				m[index] += float64(weights[i])
			}
		}
		return m
	}
	a, b := toMap(aIndices, aWeights), toMap(bIndices, bWeights)
	var ab, aa, bb float64
	for index, w := range a {
		ab += w * b[index]
		aa += w * w
	}
	for _, w := range b {
		bb += w * w
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa) / math.Sqrt(bb)
}

func TestCosine(t *testing.T) {
	type vec struct {
		indices []uint64
		weights []float64
	}
	for _, c := range []struct {
		name string
		a, b vec
		want float64
	}{
		{"by hand", vec{[]uint64{1, 2}, []float64{3, 4}}, vec{[]uint64{2, 3}, []float64{3, 4}}, 12. / 25},
		{"the same", vec{[]uint64{1, 2}, []float64{0.1, 0.7}}, vec{[]uint64{1, 2}, []float64{0.1, 0.7}}, 1},
		{"opposite", vec{[]uint64{1}, []float64{3}}, vec{[]uint64{1}, []float64{-0.1}}, -1},
		{"nothing in common", vec{[]uint64{1}, []float64{3}}, vec{[]uint64{2}, []float64{3}}, 0},
		{"empty", vec{}, vec{[]uint64{2}, []float64{3}}, 0},
		{"cancelling repeats", vec{[]uint64{2, 2}, []float64{3, -3}}, vec{[]uint64{2}, []float64{3}}, 0},
		{"unit against weights", vec{[]uint64{1, 2}, nil}, vec{[]uint64{2}, []float64{5}}, math.Sqrt(0.5)},
		{"unit repeats in any order", vec{[]uint64{2, 1, 2}, nil}, vec{[]uint64{1, 2}, []float64{1, 2}}, 1},
		{"huge and tiny", vec{[]uint64{1, 2}, []float64{3e300, 4e300}}, vec{[]uint64{1, 2}, []float64{4e-300, 3e-300}}, 24. / 25},
	} {
		if got := Cosine(c.a.indices, c.a.weights, c.b.indices, c.b.weights); !(math.Abs(got-c.want) <= 1e-15) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestCosineAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vector := func(name string) ([]uint64, []float64) {
			indices := rapid.SliceOfN(rapid.Uint64Range(0, 20), 0, 30).Draw(t, name)
			return indices, rapid.SliceOfN(rapid.Float64Range(0.001, 100), len(indices), len(indices)).Draw(t, name+" weights")
		}
		aIndices, aWeights := vector("a")
		bIndices, bWeights := vector("b")
		got, want := Cosine(aIndices, aWeights, bIndices, bWeights), naiveCosine(aIndices, aWeights, bIndices, bWeights)
		if !(math.Abs(got-want) <= 1e-12) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
