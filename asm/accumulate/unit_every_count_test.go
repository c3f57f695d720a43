package accumulate

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The 64 lanes have counts of ones around half by powers of two, or dealt out over the whole range,
// with the ones anywhere or crowded in some of the words of a register.
func TestUnitEveryCount(t *testing.T) {
	var lengths []int
	for n := 1; n <= 140; n++ {
		lengths = append(lengths, n)
	}
	for _, n := range []int{160, 192, 256, 320, 384, 448, 480, 512, 640, 896, 960, 1000, 1152, 1408, 1984, 2048, 2176, 4064} {
		lengths = append(lengths, n-1, n, n+1)
	}
	r := seeded(t)
	type input struct {
		codes []uint64
		want  expected[int64]
	}
	var inputs []input
	for _, n := range lengths {
		var anywhere, crowded [64][]int // orders in which the columns are filled
		for j := range 64 {
			anywhere[j] = rand.New(rand.NewPCG(uint64(n), uint64(j))).Perm(n)
			crowd := 1 << (j % 3)
			crowded[j] = slices.Clone(anywhere[j])
			slices.SortStableFunc(crowded[j], func(a, b int) int { return a/crowd%2 - b/crowd%2 })
		}
		for round := range 6 {
			in := input{codes: make([]uint64, n)}
			for j := range 64 {
				count := j * (n + 1) / 64
				switch round % 3 {
				case 1:
					count = min(max(n/2+1<<(j/2%8)*(1-j%2*2)+j/16-1, 0), n)
				case 2:
					count = r.IntN(n + 1)
				}
				order := &anywhere
				if round >= 3 {
					order = &crowded
				}
				for _, i := range order[j][:count] {
					in.codes[i] |= 1 << j
				}
			}
			addUnitOracle(&in.want.lanes, in.codes)
			in.want.signs = signsOracle(&in.want.lanes)
			inputs = append(inputs, in)
		}
	}
	unitOp.onKernels(t, func(t *testing.T, k unitForm) {
		for i, in := range inputs {
			var got [64]int64
			k.Add(&got, in.codes, nil)
			if err := in.want.compare(&got, k.Sketch(in.codes, nil)); err != nil {
				t.Fatalf("%d codes, input %d: %v", len(in.codes), i, err)
			}
		}
	})
}
