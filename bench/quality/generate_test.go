package quality

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"simhashkit/datasets"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/testing/long"
)

// Angles are exact, those of uniform pairs are uniform over the range, and nearly half of all pairs
// have cosine 0.9 or more.
func TestAngles(t *testing.T) {
	for i, pattern := range Patterns() {
		for j, weights := range Weights() {
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
				want := mostAngle(weights) * (float64(i) + 0.5) / float64(len(uniform))
				if math.Abs(angle-want) > 0.1 && weights != terms.Dominated && want > 0.25 {
					t.Fatalf("%s %s: angle %d is %.3f, want about %.3f", pattern, weights, i, angle, want)
				}
			}
			if all, near := bandPairs(w); all != 600 || near < 450 {
				t.Errorf("%s %s: %d pairs over all angles, %d at cosine 0.9", pattern, weights, all, near)
			}
		}
	}
}

func TestPatternsKeepTheirPattern(t *testing.T) {
	for _, pattern := range append(Patterns(), terms.ListedKeys) {
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
				t.Errorf("%s: keying %d has the same indices as the one before", pattern, keying)
			}
			copy(first, indices)
			for i, index := range indices {
				ok := true
				switch pattern {
				case terms.Uniform1e7:
					ok = index < 1e7
				case terms.ListedKeys:
					ok = index < 20_000
				case terms.Dense1e3:
					ok = index == indices[0]+uint64(i) && index < 2000
				case terms.Consecutive:
					ok = index == indices[0]+uint64(i) && index < 1e7+wide
				case terms.Strided:
					ok = index == indices[0]+1024*uint64(i)
				case terms.Pow2:
					ok = bits.OnesCount64(index) == 1 || bits.OnesCount64(index) == 2
				case terms.BitRev:
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
	for _, kind := range Weights() {
		w := make([]float64, 100)
		fillWeights(w, kind, newRandom(1, 2, 3))
		for _, x := range w {
			if x*1024 != math.Trunc(x*1024) || x == 0 || x < 0 && kind != terms.Signed || x != math.Trunc(x) && (kind == terms.Unit || kind == terms.Counts) {
				t.Errorf("%s: %v", kind, x)
			}
		}
		if rest := squares(w[1:]); kind == terms.Dominated && math.Abs(w[0]*w[0]/rest-1) > 1e-3 {
			t.Errorf("the dominating weight is %v, the others %v", w[0], math.Sqrt(rest))
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []WorkloadOptions{
		{}, {Pattern: terms.Data, Weights: terms.Unit}, {Pattern: terms.Pow2, Weights: "heavy"}, {Pattern: "random", Weights: terms.Unit}, {Pattern: terms.Pow2, Weights: terms.Unit, Pairs: -1},
	} {
		if _, err := Generate(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// A copy replaces the share of features given by its rate with features of the set and their
// weights. The other weights decrease by at most this share.
func TestEdit(t *testing.T) {
	const vectors, features = 50, 100
	r := newRandom(1, 95, 0)
	var weighted, counts datasets.CSR[float32]
	weightOf := func(index uint64) float32 { return 1 + float32(index)/1000 }
	for range vectors {
		var row datasets.Row[float32]
		var whole datasets.Row[float32]
		for len(row.Indices) < features {
			if index := r.below(5000); !slices.Contains(row.Indices, index) {
				row.Indices, row.Weights = append(row.Indices, index), append(row.Weights, weightOf(index))
				whole.Indices, whole.Weights = append(whole.Indices, index), append(whole.Weights, float32(1+index%7))
			}
		}
		if err := weighted.Append(&row); err != nil {
			t.Fatal(err)
		}
		if err := counts.Append(&whole); err != nil {
			t.Fatal(err)
		}
	}
	copies, of, err := editedCopies(&weighted, 2*vectors, 3)
	if err != nil || len(of) != 2*vectors || copies.Len() != 2*vectors {
		t.Fatalf("%d copies of %d (%v)", copies.Len(), len(of), err)
	}
	seen := map[int][]int{} // numbers of replaced features in the copies of a vector
	for i, original := range of {
		indices, _ := weighted.Row(original)
		edited, weights := copies.Row(i)
		replaced := 0
		for j, index := range edited {
			if !slices.Contains(indices, index) {
				replaced++
				if weights[j] != weightOf(index) {
					t.Errorf("copy %d: new index %d has the weight %v, want %v", i, index, weights[j], weightOf(index))
				}
			}
		}
		seen[original] = append(seen[original], replaced)
		for j, index := range edited {
			if slices.Contains(indices, index) && (weights[j] > weightOf(index) || weights[j] < weightOf(index)*(1-float32(replaced+1)/features)) {
				t.Errorf("copy %d with %d features replaced: weight %v, was %v", i, replaced, weights[j], weightOf(index))
			}
		}
	}
	for original, replaced := range seen {
		if len(replaced) != 2 || replaced[0] == replaced[1] || !slices.Contains([]int{1, 3, 5, 10, 20}, replaced[0]) {
			t.Errorf("vector %d has copies with %v features replaced", original, replaced)
		}
	}
	smaller, _, err := editedCopies(&counts, vectors, 3)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for i, w := range smaller.Weights {
		if least := float32(1 + smaller.Indices[i]%7); w < 1 || w > least || w < least-1 {
			t.Errorf("count %v, was %v", w, least)
		} else if w < least {
			lost++
		}
	}
	if part := float64(lost) / float64(len(smaller.Weights)); math.Abs(part-0.078*6/7*0.9) > 0.02 {
		t.Errorf("%.3f of the counts lost 1", part)
	}
}

// A vector that can neither gain nor lose a feature is unchanged.
func TestEditOfOneIndex(t *testing.T) {
	copies, _, err := editedCopies(set([][]uint64{{5}, {5}}), 10, 0)
	if err != nil || copies.Len() != 10 || copies.NNZ() != 10 {
		t.Errorf("%d copies with %d features (%v)", copies.Len(), copies.NNZ(), err)
	}
}

// Vectors that have every index lose features, but never all.
func TestEditOfFullVectors(t *testing.T) {
	copies, of, err := editedCopies(set([][]uint64{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {}, {1}}), 40, 0)
	if err != nil || len(of) != 40 {
		t.Fatalf("%d copies (%v)", len(of), err)
	}
	for i, original := range of {
		indices, _ := copies.Row(i)
		switch {
		case original == 0 && (len(indices) < 8 || len(indices) > 9), original == 1, original == 2 && len(indices) != 1:
			t.Errorf("copy %d of vector %d: %v", i, original, indices)
		}
	}
}
