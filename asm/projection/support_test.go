package projection

import (
	"math"
	"math/rand/v2"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/kernels"
)

// oracle is the definition: products rounded, then added, one feature after the other. It returns
// the signs after none, one, ... and all of the features. Do not alter it.
func oracle(table []float32, stride int, indices []uint64, weights []float32) (signs []uint64) {
	var sums [64]float32
	for i := range len(indices) + 1 {
		word := uint64(0)
		for j, sum := range sums {
			if sum > 0 {
				word |= 1 << j
			}
		}
		signs = append(signs, word)
		if i == len(indices) {
			break
		}
		for j := range sums {
			product := float64(weights[i]) * float64(table[int(indices[i])*stride+j]) // exact
			sums[j] += float32(product)
		}
	}
	return signs
}

type sketch = func(table []float32, stride, dimensions int, indices []uint64, weights []float32) (positive uint64, ok bool)

// onImplementations runs body on every kernel that can run here, and on the dispatch at every tier.
func onImplementations(t *testing.T, body func(t *testing.T, sketch sketch)) {
	list := kernels.List(SketchKernels(), func(k SketchKernel) (cpu.Kernel, sketch) { return k.Kernel, k.Sketch })
	kernels.OnEach(t, "", list, Sketch, body)
}

// fill sets entries or weights to numbers of one of three kinds: small integers, which give many
// ties; numbers whose products and sums round; any bits, with infinities, denormals and what is not
// a number.
func fill(r *rand.Rand, numbers []float32) {
	kind := r.IntN(3)
	for i := range numbers {
		switch kind {
		case 0:
			numbers[i] = float32(r.IntN(5) - 2)
		case 1:
			numbers[i] = float32(r.NormFloat64())
		default:
			numbers[i] = math.Float32frombits(r.Uint32())
		}
	}
}

func fillIndices(r *rand.Rand, indices []uint64, dimensions int) {
	for i := range indices {
		indices[i] = r.Uint64N(uint64(dimensions))
	}
}
