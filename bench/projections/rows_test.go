package projections

import (
	"testing"

	"pgregory.net/rapid"
)

// oracleRows is the definition, do not alter: products rounded, then added, one feature after the
// other.
func oracleRows(table []float32, stride, dimensions int, indices []uint64, weights []float32) (positive uint64, ok bool) {
	for j := range 64 {
		var sum float32
		for i, index := range indices {
			if index >= uint64(dimensions) {
				return 0, false
			}
			product := float64(weights[i]) * float64(table[int(index)*stride+j]) // exact
			sum += float32(product)
		}
		if sum > 0 {
			positive |= 1 << j
		}
	}
	return positive, true
}

// Kernels agree with the definition bit by bit: with entries that round, with ties, at strides of
// wide fingerprints, and about indices that are outside.
func TestKernelsAgree(t *testing.T) {
	for _, k := range rowsKernels() {
		t.Run(k.Name, func(t *testing.T) {
			if !k.Available() {
				t.Skip("cannot run here")
			}
			rapid.Check(t, func(t *rapid.T) {
				dimensions := rapid.IntRange(1, 40).Draw(t, "dimensions")
				stride := 64 * rapid.IntRange(1, 3).Draw(t, "words")
				n := rapid.IntRange(0, 60).Draw(t, "nnz")
				coarse := rapid.Bool().Draw(t, "coarse")
				random := generator(rapid.Uint64().Draw(t, "seed"))
				value := func() float32 {
					if coarse {
						return float32(random.IntN(5) - 2) // many ties
					}
					return float32(random.NormFloat64())
				}
				table, indices, weights := make([]float32, (dimensions-1)*stride+64), make([]uint64, n), make([]float32, n)
				for i := range table {
					table[i] = value()
				}
				for i := range indices {
					indices[i], weights[i] = random.Uint64N(uint64(dimensions)), value()
				}
				if n > 0 && random.IntN(4) == 0 {
					indices[random.IntN(n)] = []uint64{uint64(dimensions), 1 << 31, 1 << 32, 1 << 63, ^uint64(0)}[random.IntN(5)]
				}
				got, ok := k.project(&table[0], stride, dimensions, indices, weights)
				want, wantOK := oracleRows(table, stride, dimensions, indices, weights)
				if got != want || ok != wantOK {
					t.Fatalf("%016x, %v, want %016x, %v", got, ok, want, wantOK)
				}
			})
		})
	}
}

// The dispatch takes, at every tier, the fastest kernel of the table.
func TestKernelsOfTiers(t *testing.T) {
	list := rowsKernels()
	for i, k := range list {
		if i > 0 && k.Tier >= list[i-1].Tier || !k.Tier.Needs().Has(k.Needs) || k.Name != k.Tier.String() {
			t.Errorf("kernel %s of tier %v needs %v", k.Name, k.Tier, k.Needs)
		}
	}
}
