package quality

import (
	"math"
	"slices"
	"testing"

	"simhashkit/datasets"
)

// A copy has the part of its features replaced that its rate says, by features of the set with
// weights that they have there; the other weights lose no more than that part.
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
	copies, of, err := Edit(&weighted, EditRates, 2*vectors, 3)
	if err != nil || len(of) != 2*vectors || copies.Len() != 2*vectors {
		t.Fatalf("%d copies of %d (%v)", copies.Len(), len(of), err)
	}
	seen := map[int][]int{} // how many features copies of a vector have replaced
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
				t.Errorf("copy %d, %d replaced: weight %v of %v is left", i, replaced, weights[j], weightOf(index))
			}
		}
	}
	for original, replaced := range seen {
		if len(replaced) != 2 || replaced[0] == replaced[1] || !slices.Contains([]int{1, 3, 5, 10, 20}, replaced[0]) {
			t.Errorf("vector %d has copies with %v features replaced", original, replaced)
		}
	}
	smaller, _, err := Edit(&counts, EditRates, vectors, 3)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for i, w := range smaller.Weights {
		if least := float32(1 + smaller.Indices[i]%7); w < 1 || w > least || w < least-1 {
			t.Errorf("count %v of %v is left", w, least)
		} else if w < least {
			lost++
		}
	}
	if part := float64(lost) / float64(len(smaller.Weights)); math.Abs(part-0.078*6/7*0.9) > 0.02 {
		t.Errorf("%.3f of the counts lost 1", part)
	}
}

// A vector that can neither get nor lose a feature is as it was.
func TestEditOfOneIndex(t *testing.T) {
	copies, _, err := Edit(set([][]uint64{{5}, {5}}), EditRates, 10, 0)
	if err != nil || copies.Len() != 10 || copies.NNZ() != 10 {
		t.Errorf("%d copies with %d features (%v)", copies.Len(), copies.NNZ(), err)
	}
}

// Vectors that have every index lose features, and a vector is not edited away.
func TestEditOfFullVectors(t *testing.T) {
	copies, of, err := Edit(set([][]uint64{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {}, {1}}), EditRates, 40, 0)
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
