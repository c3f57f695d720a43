package fphash

import (
	"math"
	"math/rand/v2"
)

// kind is a kind of random weights.
type kind int

const (
	ordinary kind = iota // small, with both signs and repeats
	extreme              // zeros of both signs, denormals, huge, largest and smallest values
	zeros                // only zeros
	tied                 // +1 and -1, so that many sums are zero
	poisoned             // ordinary, with an infinity or NaN if the type has them
	kinds
)

func (k kind) String() string {
	return [...]string{"ordinary", "extreme", "zero", "tied", "poisoned"}[k]
}

// randomWeights returns n random weights of the given kind.
func randomWeights[W Weight](r *rand.Rand, k kind, n int) []W {
	weights := make([]W, n)
	for i := range weights {
		switch k {
		case ordinary, poisoned:
			weights[i] = fraction[W](r)
		case extreme:
			weights[i] = extremes[W]()[r.IntN(len(extremes[W]()))]
		case tied:
			weights[i] = W(r.IntN(2)*2 - 1)
		}
	}
	if k == poisoned && n > 0 {
		switch w := any(weights).(type) {
		case []float32:
			w[r.IntN(n)] = [...]float32{float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}[r.IntN(3)]
		case []float64:
			w[r.IntN(n)] = [...]float64{math.Inf(1), math.Inf(-1), math.NaN()}[r.IntN(3)]
		}
	}
	return weights
}

func fraction[W Weight](r *rand.Rand) W {
	w := W(r.IntN(2001) - 1000)
	if one := W(1); one/2 != 0 {
		w /= 7 // sums round, so they depend on the order
	}
	return w
}

func extremes[W Weight]() []W {
	var list any
	switch any(W(0)).(type) {
	case int32:
		list = []int32{0, 1, -1, math.MaxInt32, math.MinInt32}
	case int64:
		list = []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt32 + 1, 1 << 62}
	case float32:
		list = []float32{0, float32(math.Copysign(0, -1)), 1, -1, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 1e-39, 1e30, -1e30, math.MaxFloat32, -math.MaxFloat32, 1 << 24}
	default:
		list = []float64{0, math.Copysign(0, -1), 1, -1, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1e-310, 1e300, -1e300, math.MaxFloat64, -math.MaxFloat64, 1 << 53}
	}
	return list.([]W)
}

// randomIndices returns n dense, spread and extreme indices, with repeats.
func randomIndices(r *rand.Rand, n int) []uint64 {
	indices := make([]uint64, n)
	for i := range indices {
		switch r.IntN(4) {
		case 0:
			indices[i] = uint64(r.IntN(100))
		case 1:
			indices[i] = r.Uint64()
		case 2:
			indices[i] = math.MaxUint64 - uint64(r.IntN(3))
		default:
			indices[i] = uint64(r.Uint32())
		}
	}
	return indices
}

// narrow returns the indices truncated to 32 bits, and these as 64-bit indices.
func narrow(indices []uint64) ([]uint32, []uint64) {
	short, wide := make([]uint32, len(indices)), make([]uint64, len(indices))
	for i, index := range indices {
		short[i] = uint32(index)
		wide[i] = uint64(short[i])
	}
	return short, wide
}
