package main

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Patterns returns the names of the patterns.
func Patterns() []string { return []string{uniform, zipf} }

// leastSpace is how many dimensions there must be for each feature of a vector: with fewer,
// distinct ones can hardly be drawn in a skewed pattern, nor are they skewed.
var leastSpace = map[string]uint64{uniform: 1, zipf: 10}

// maxNNZ is the greatest number of features at which sums are exact, see unitEntry.
const maxNNZ = 4096

// weightUnits is the number of units in a weight of 1: weights are multiples of 1/32 from 1 to 32,
// like counts times the rarity of a word.
const weightUnits = 32

// vectors are sparse vectors, all of nnz features.
type vectors struct {
	nnz     int
	indices []uint64
	weights []float32
}

func (v *vectors) count() int { return len(v.indices) / v.nnz }

func (v *vectors) at(i int) (indices []uint64, weights []float32) {
	return v.indices[i*v.nnz : (i+1)*v.nnz], v.weights[i*v.nnz : (i+1)*v.nnz]
}

// drawer draws features.
type drawer struct {
	*rand.Rand
	dimensions uint64
	pattern    string
	taken      map[uint64]bool // indices that newIndex does not return
}

// newDrawer returns a drawer for the vectors of the case, the same for all methods and widths;
// purpose keeps vectors for different ends apart.
func newDrawer(c Case, purpose uint64) *drawer {
	seed := c.Dimensions<<16 ^ uint64(c.NNZ)<<2 ^ uint64(slices.Index(Patterns(), c.Pattern))
	return &drawer{rand.New(rand.NewPCG(seed, purpose)), c.Dimensions, c.Pattern, map[uint64]bool{}}
}

// index returns an index of the pattern.
func (d *drawer) index() uint64 {
	if d.pattern == uniform {
		return d.Uint64N(d.dimensions)
	}
	// Ranks from 2^b to 2^(b+1)-1 together are as frequent for one b as for another.
	for {
		low := uint64(1) << d.IntN(bits.Len64(d.dimensions))
		if rank := low + d.Uint64N(low); rank <= d.dimensions {
			return rank - 1
		}
	}
}

// newIndex returns an index that is not taken, and takes it.
func (d *drawer) newIndex() uint64 {
	for {
		if i := d.index(); !d.taken[i] {
			d.taken[i] = true
			return i
		}
	}
}

func (d *drawer) weight() float32 {
	return float32(weightUnits+d.IntN(31*weightUnits+1)) / weightUnits
}

// append appends a vector of distinct indices in ascending order, which are taken afterwards and no
// others.
func (d *drawer) append(v *vectors) {
	clear(d.taken)
	from := len(v.indices)
	for range v.nnz {
		v.indices = append(v.indices, d.newIndex())
		v.weights = append(v.weights, d.weight())
	}
	slices.Sort(v.indices[from:])
}

// streamFeatures is how many features the vectors that are timed have together: with 64 bits their
// rows are 256 MiB of normal entries, more than caches hold.
const streamFeatures = 1 << 20

// stream returns the vectors that are timed, one after the other and over again.
func stream(c Case, features int) *vectors {
	v, d := &vectors{nnz: c.NNZ}, newDrawer(c, 1)
	for range max(features/c.NNZ, 1) {
		d.append(v)
	}
	return v
}
