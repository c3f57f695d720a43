package quality

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"simhashkit/datasets"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/english"
	"simhashkit/internal/portable"
)

const (
	mostVectors      = 5000      // limit of the vectors that are searched for pairs
	mostVectorsNNZ   = 2_000_000 // limit of their features in total
	sparsity         = 100       // on average, two index maps share at most one index in 100
	sameVectorsAngle = 1e-6      // radians; vectors with a smaller angle count as copies
)

// FromVectors makes a workload of real vectors, or of a random sample of a large set. Its pattern
// is "data", and its weights are unit, as always for MinHash, or f32. It ignores Pattern and
// Weights.
//
// Pairs are random pairs, pairs with a common feature, neighbours among sorted fingerprints of the
// ideal source, and vectors with edited copies, see METHODOLOGY.md. They are spread over all angles
// as evenly as the vectors allow. A seeded hash gets the indices as they are. For other hashes,
// every keying except the first adds an offset to indices, modulo 2^64.
//
// It fails if no two vectors differ in direction, if a weight or the sum of a repeated feature's
// weights is not finite, or if the set is malformed. Errors count vectors from 1.
func FromVectors(ctx context.Context, set *datasets.CSR[float32], o WorkloadOptions) (*Workload, error) {
	if err := set.Validate(); err != nil {
		return nil, fmt.Errorf("quality: %w", err)
	}
	if err := o.complete(); err != nil {
		return nil, err
	}
	o.Pattern, o.Weights = terms.Data, datasets.Float32
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
	f := &finder{set: v, given: given, keys: len(indices), wanted: o.Pairs, seed: o.Seed, most: math.Pi / 2, seen: map[couple]bool{}}
	if slices.ContainsFunc(v.weights, func(x float64) bool { return x < 0 }) {
		f.most = math.Pi
	}
	pairs, err := f.find(ctx, edits)
	if err != nil {
		return nil, err
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("quality: %s: no two of them differ, but comparing hashes needs at least two different vectors", english.Count(set.Len(), "vector"))
	}

	w := &Workload{options: o, set: *v, given: given, pairs: pairs, rows: rows, ideals: map[int]*observation{}}
	w.sketch = weightedSketch(&w.set, converted[float32](v.weights))
	if o.Sketch == terms.MinHash || !slices.ContainsFunc(v.weights, func(x float64) bool { return x != 1 }) {
		w.options.Weights, w.sketch = terms.Unit, unitSketch(&w.set)
	}
	w.keys = len(indices)
	w.indices = func(dst []uint64, keying int, seeded bool) {
		copy(dst, indices)
		if seeded || keying == 0 {
			return
		}
		offset := newRandom(o.Seed, forIndices, uint64(keying)).below(offsetRange(indices))
		for i := range dst {
			dst[i] += offset // modulo 2^64, which keeps the differences of indices
		}
	}
	w.sortPairs()
	return w, nil
}

// withEdits returns the given rows of the set, followed by edited copies. A couple is the numbers
// of a row and its copy.
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
	copies, of, err := editedCopies(all, o.Pairs, o.Seed)
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

// offsetRange returns the range of the offsets of index maps. With n indices, two maps share
// n^2/range indices on average. They should share almost none, because keyings are treated as
// independent.
func offsetRange(indices []uint64) uint64 {
	return max(indexRange, indices[len(indices)-1], sparsity*uint64(len(indices)))
}

// sampleRows returns the numbers of the sampled vectors, in order.
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

// merged replaces indices by positions and adds up repeated features. It returns the vectors and
// the index of each position.
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
				return nil, nil, fmt.Errorf("quality: vector %d has the weight %v: expected a finite weight", row+1, x)
			}
			at, _ := slices.BinarySearch(indices, index)
			features = append(features, feature{at, x})
		}
		slices.SortStableFunc(features, func(a, b feature) int { return cmp.Compare(a.position, b.position) })
		start := len(v.positions)
		for _, f := range features {
			last := len(v.positions) - 1
			if last < start || v.positions[last] != uint64(f.position) {
				v.positions, v.weights = append(v.positions, uint64(f.position)), append(v.weights, f.weight)
				continue
			}
			if v.weights[last] += f.weight; math.IsInf(float64(float32(v.weights[last])), 0) {
				return nil, nil, fmt.Errorf("quality: vector %d has index %d several times, with weights that add up to %v, which overflows float32", row+1, indices[f.position], v.weights[last])
			}
		}
		v.offsets = append(v.offsets, len(v.positions))
	}
	return v, indices, nil
}

func (v *vectors) dot(a, b int) (sum float64) {
	for i, j := range v.shared(a, b) {
		// the conversion prevents a fused multiply-add, which not all machines have
		sum += float64(v.weights[i] * v.weights[j])
	}
	return sum
}

// angle returns the angle between two vectors, bit-identical on all machines. ok is false if a
// vector is zero or a product overflows.
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

const (
	candidates  = 20 // random couples per wanted pair; as many again have a common feature
	sorts       = 16 // number of orders of fingerprints, each by other bits
	neighbours  = 3  // number of following vectors that a vector is compared with in each order
	angleBins   = 20 // bins over the range of angles
	similarBins = 10 // bins over the angles of cosine 0.9 and above
)

type finder struct {
	set    *vectors
	given  int // number of vectors before the edited copies in set
	keys   int
	wanted int
	seed   uint64
	most   float64 // greatest angle possible
	seen   map[couple]bool
	pairs  []pair
}

// find returns pairs that are spread evenly over the angles. Pairs of the band All are marked as
// uniform.
func (f *finder) find(ctx context.Context, edits []couple) ([]pair, error) {
	n := uint64(f.given)
	if n < 2 || f.keys == 0 {
		return nil, nil
	}
	for _, c := range edits {
		f.look(c.a, c.b)
	}
	r := newRandom(f.seed, forPairs, 1)
	for range candidates * f.wanted {
		f.look(int(r.below(n)), int(r.below(n)))
	}
	f.lookInLists(r)
	if err := f.lookInSorted(ctx); err != nil {
		return nil, err
	}
	shuffle(r, f.pairs)
	uniform := int(math.Round(float64(f.wanted) * uniformPart))
	chosen, rest := spreadOver(f.pairs, angleBins, f.most, uniform)
	for i := range chosen {
		chosen[i].uniform = true
	}
	similar, _ := spreadOver(rest, similarBins, portable.Acos(bandCosine), f.wanted-uniform)
	return append(chosen, similar...), nil
}

// look adds a pair of vectors, unless it is already known or has no angle.
func (f *finder) look(a, b int) {
	if a > b {
		a, b = b, a
	}
	c := couple{a, b}
	if a == b || f.seen[c] {
		return
	}
	f.seen[c] = true
	// Copies and zero vectors are useless.
	if radians, cosine, ok := f.set.angle(a, b); ok && radians >= sameVectorsAngle {
		f.pairs = append(f.pairs, pair{couple: c, angle: radians, cosine: cosine, wanted: radians})
	}
}

// lookInLists adds pairs with a common feature, because most other pairs are at right angles.
func (f *finder) lookInLists(r random) {
	lists := make([][]int, f.keys)
	for i := range f.given {
		for _, at := range f.set.positions[f.set.offsets[i]:f.set.offsets[i+1]] {
			lists[at] = append(lists[at], i)
		}
	}
	for range candidates * f.wanted {
		list := lists[r.below(uint64(f.keys))]
		f.look(list[r.below(uint64(len(list)))], list[r.below(uint64(len(list)))])
	}
}

// lookInSorted sorts fingerprints in several orders and adds pairs that are close together in one
// of them (Charikar 2002, section 3).
func (f *finder) lookInSorted(ctx context.Context) error {
	codes, sketcher, err := newTable(f.keys, 64*sorts, false)
	if err != nil {
		return err
	}
	newRandom(f.seed, forNeighbours, 0).fill(codes.codes)
	fingerprints, _, err := sketchAll(weightedSketch(f.set, f.set.weights), nil, sketcher, nil, nil)
	if err != nil {
		return err
	}
	order := make([]int, f.given)
	for word := range sorts {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		at := func(i int) uint64 { return fingerprints[i*sorts+word] }
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(at(i), at(j)), cmp.Compare(i, j)) })
		for i, a := range order {
			for _, b := range order[i+1 : min(i+1+neighbours, len(order))] {
				f.look(a, b)
			}
		}
	}
	return nil
}

// spreadOver takes up to wanted pairs with angles below greatest, as evenly from the bins as
// possible. Within a bin, it takes the first pairs.
func spreadOver(pairs []pair, bins int, greatest float64, wanted int) (chosen, rest []pair) {
	byBin := make([][]pair, bins)
	for _, p := range pairs {
		bin := int(p.angle / greatest * float64(bins))
		if p.angle == greatest { // such as a right angle
			bin = bins - 1
		}
		if bin >= bins {
			rest = append(rest, p)
			continue
		}
		byBin[bin] = append(byBin[bin], p)
	}
	for left := true; left && len(chosen) < wanted; {
		left = false
		for i := range byBin {
			if len(byBin[i]) > 0 && len(chosen) < wanted {
				chosen, byBin[i] = append(chosen, byBin[i][0]), byBin[i][1:]
				left = true
			}
		}
	}
	for _, bin := range byBin {
		rest = append(rest, bin...)
	}
	return chosen, rest
}
