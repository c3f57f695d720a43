package quality

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"simhashkit/datasets"
	"simhashkit/internal/english"
	"simhashkit/internal/portable"
)

const (
	mostVectors    = 5000      // that pairs are looked for among
	mostVectorsNNZ = 2_000_000 // and that many features in all
	sparsity       = 100       // index maps share at most one index in this many
	// radians; nearer vectors are taken for copies, which say nothing about a hash
	sameVectorsAngle = 1e-6
)

// FromVectors makes a workload of real vectors, of which a set without weights has unit ones:
// pattern Data, weights unit or f32. Of the options Pattern and Weights are not used.
//
// Pairs are taken from all angles as evenly as the vectors allow: couples at random, couples that
// have a feature in common, near neighbours, found by sorting fingerprints of the ideal source, and
// vectors with edited copies of them (see [Edit]), since few sets have enough near-duplicates;
// every angle is exact. Of more than 5,000 vectors, or of more than two million features, a random
// sample is taken. A seeded hash sees the indices as they are; for others every keying but the
// first adds another offset, modulo 2^64. Offsets are below 10^7, as those of patterns are, or
// below the greatest index or 100 times the number of different indices where one of these is
// greater, so that keyings share hardly an index.
//
// It fails where no two vectors are at an angle to each other, where a weight or the sum of repeats
// is not finite, and where the set is malformed; errors count vectors from 1; and where the context
// is done, with the cause of that. Cost: below a second.
func FromVectors(ctx context.Context, set *datasets.CSR[float32], o WorkloadOptions) (*Workload, error) {
	if err := set.Validate(); err != nil {
		return nil, fmt.Errorf("quality: %w", err)
	}
	if err := o.complete(); err != nil {
		return nil, err
	}
	o.Pattern, o.Weights = Data, datasets.Float32
	rows := sampleRows(set, newRandom(o.Seed, forVectors, 0))
	given := len(rows)
	all, edits, err := withEdits(set, rows, o)
	if err != nil {
		return nil, err
	}
	for _, e := range edits {
		rows = append(rows, rows[e.a])
	}
	v, indices, err := merged(all, rows)
	if err != nil {
		return nil, err
	}
	f := newFinder(v, given, len(indices), o)
	pairs, err := f.find(ctx, edits)
	if err != nil {
		return nil, err
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("quality: %s: no two of them differ, so they tell nothing about hashes; expected two or more that do", english.Count(set.Len(), "vector"))
	}

	w := &Workload{options: o, set: *v, given: given, pairs: pairs, rows: rows, ideals: map[int]*observation{}}
	w.sketch = weightedSketch(&w.set, converted[float32](v.weights))
	if !slices.ContainsFunc(v.weights, func(x float64) bool { return x != 1 }) {
		w.options.Weights, w.sketch = Unit, unitSketch(&w.set)
	}
	w.keys = len(indices)
	w.indices = func(dst []uint64, keying int, seeded bool) {
		copy(dst, indices)
		if seeded || keying == 0 {
			return
		}
		offset := newRandom(o.Seed, forIndices, uint64(keying)).below(offsetRange(indices))
		for i := range dst {
			dst[i] += offset // modulo 2^64: differences of indices stay as they are
		}
	}
	w.finish()
	return w, nil
}

// withEdits returns the rows of the set with edited copies behind them, one for each pair that is
// wanted, and which is a copy of which.
func withEdits(set *datasets.CSR[float32], rows []int, o WorkloadOptions) (*datasets.CSR[float32], []couple, error) {
	all := &datasets.CSR[float32]{}
	take := func(from *datasets.CSR[float32], i int) error {
		indices, weights := from.Row(i)
		if err := all.Append(&datasets.Row[float32]{Indices: indices, Weights: weights}); err != nil {
			return fmt.Errorf("quality: %w", err)
		}
		return nil
	}
	for _, row := range rows {
		if err := take(set, row); err != nil {
			return nil, nil, err
		}
	}
	copies, of, err := Edit(all, EditRates, o.Pairs, o.Seed)
	if err != nil {
		return nil, nil, err
	}
	var edits []couple
	for i, original := range of {
		edits = append(edits, couple{original, all.Len()})
		if err := take(&copies, i); err != nil {
			return nil, nil, err
		}
	}
	return all, edits, nil
}

// offsetRange is what the offsets of index maps are below. The index maps are to be different and
// to share hardly an index, since keyings count as independent: of n indices, two maps with offsets
// below a range share n^2/range on average, wherever the indices lie.
func offsetRange(indices []uint64) uint64 {
	return max(indexRange, indices[len(indices)-1], sparsity*uint64(len(indices)))
}

// sampleRows returns the numbers of the vectors that are used, in order.
func sampleRows(set *datasets.CSR[float32], r random) []int {
	rows := make([]int, set.Len())
	for i := range rows {
		rows[i] = i
	}
	shuffle(r, rows)
	features := 0
	for i, row := range rows {
		features += set.Offsets[row+1] - set.Offsets[row]
		if i >= mostVectors || i > 0 && features > mostVectorsNNZ {
			rows = rows[:i]
			break
		}
	}
	slices.Sort(rows)
	return rows
}

// merged returns the vectors over positions, repeats added up, and the index of every position, in
// ascending order. rows are the numbers of the vectors, for errors.
func merged(set *datasets.CSR[float32], rows []int) (*vectors, []uint64, error) {
	indices := slices.Clone(set.Indices)
	slices.Sort(indices)
	indices = slices.Compact(indices)
	v := &vectors{offsets: []int{0}}
	for i, row := range rows {
		var features []feature
		listed, weights := set.Row(i)
		for i, index := range listed {
			x := 1.0
			if weights != nil {
				x = float64(weights[i])
			}
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, nil, fmt.Errorf("quality: vector %d has the weight %v: expected finite ones", row+1, x)
			}
			at, _ := slices.BinarySearch(indices, index)
			features = append(features, feature{at, x})
		}
		slices.SortStableFunc(features, func(a, b feature) int { return cmp.Compare(a.position, b.position) })
		n := 0
		for i, f := range features {
			if i > 0 && features[n-1].position == f.position {
				sum := features[n-1].weight + f.weight
				if math.IsInf(float64(float32(sum)), 0) {
					return nil, nil, fmt.Errorf("quality: vector %d has index %d several times, with weights that add up to %v: expected no more than a float32 holds", row+1, indices[f.position], sum)
				}
				features[n-1].weight = sum
				continue
			}
			features[n] = f
			n++
		}
		v.append(features[:n])
	}
	return v, indices, nil
}

// dot returns the scalar product of two vectors of the set, whose positions ascend. With the
// weights that Generate makes every step is exact.
func (v *vectors) dot(a, b int) float64 {
	sum := 0.0
	i, iEnd, j, jEnd := v.offsets[a], v.offsets[a+1], v.offsets[b], v.offsets[b+1]
	for i < iEnd && j < jEnd {
		switch p, q := v.positions[i], v.positions[j]; {
		case p < q:
			i++
		case p > q:
			j++
		default:
			// the conversion forbids a fused multiply-add, which some machines lack
			sum += float64(v.weights[i] * v.weights[j])
			i++
			j++
		}
	}
	return sum
}

// angle returns the angle between two vectors in radians, also where it is small to all digits, and
// false where one of them has no length. It is the same on every machine to the last bit: which
// pair comes first, and to which bin it belongs, is decided by it.
func (v *vectors) angle(a, b int) (radians, cosine float64, ok bool) {
	return angleOf(v.dot(a, b), v.dot(a, a), v.dot(b, b))
}

func angleOf(dot, aSquare, bSquare float64) (radians, cosine float64, ok bool) {
	product := float64(aSquare * bSquare)
	if !(product > 0) || math.IsInf(product, 1) {
		return 0, 0, false
	}
	radians = portable.Atan2(math.Sqrt(max(0, product-float64(dot*dot))), dot)
	return radians, max(-1, min(1, dot/math.Sqrt(product))), true
}
