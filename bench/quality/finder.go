package quality

import (
	"cmp"
	"context"
	"math"
	"slices"

	"simhashkit/internal/portable"
)

const (
	// random couples looked at for each pair that is wanted, and as many with a feature in common
	candidates  = 20
	sorts       = 16 // of fingerprints, each by other bits
	neighbours  = 3  // that follow a vector in a sorted list
	angleBins   = 20 // over the range of angles
	similarBins = 10 // over the angles of cosine 0.9 and above
)

// finder looks for pairs of real vectors at all angles.
type finder struct {
	set    *vectors
	given  int // vectors of the set, behind which edited copies stand
	keys   int
	wanted int
	seed   uint64
	most   float64 // greatest angle possible
	seen   map[couple]bool
	pairs  []pair
}

func newFinder(v *vectors, given, keys int, o WorkloadOptions) *finder {
	f := &finder{
		set: v, given: given, keys: keys, wanted: o.Pairs, seed: o.Seed, most: math.Pi / 2, seen: map[couple]bool{},
	}
	if slices.ContainsFunc(v.weights, func(x float64) bool { return x < 0 }) {
		f.most = math.Pi
	}
	return f
}

// find returns pairs as evenly spread over the angles as there are, edits among them; which of them
// count for the band All is marked.
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

// look takes two vectors into account, unless it has done so or they are at no angle.
func (f *finder) look(a, b int) {
	if a > b {
		a, b = b, a
	}
	c := couple{a, b}
	if a == b || f.seen[c] {
		return
	}
	f.seen[c] = true
	// copies, and vectors that have no length, say nothing
	if radians, cosine, ok := f.set.angle(a, b); ok && radians >= sameVectorsAngle {
		f.pairs = append(f.pairs, pair{couple: c, angle: radians, cosine: cosine, wanted: radians})
	}
}

// lookInLists looks at couples that have a feature in common: at right angles everybody is found at
// random, in between few are.
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

// lookInSorted looks at vectors that come near each other when fingerprints are sorted, which
// near-duplicates do in some of several orders (Charikar 2002, section 3, after Indyk and Motwani).
func (f *finder) lookInSorted(ctx context.Context) error {
	codes, sketcher, err := newTable(f.keys, 64*sorts)
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

// spreadOver takes up to that many pairs with angles below the greatest, as evenly from the bins as
// there are: what one bin lacks the others give. The order of the pairs decides within a bin.
func spreadOver(pairs []pair, bins int, greatest float64, wanted int) (chosen, rest []pair) {
	byBin := make([][]pair, bins)
	for _, p := range pairs {
		bin := int(p.angle / greatest * float64(bins))
		if p.angle == greatest { // as right angles are
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
