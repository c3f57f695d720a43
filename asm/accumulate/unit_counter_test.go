package accumulate

import (
	"fmt"
	"testing"

	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// TestUnitCounter adds codes in pieces of all sizes, some beyond what the counters of a kernel
// hold: signs and lanes are those of the oracle after each.
func TestUnitCounter(t *testing.T) {
	r := seeded(t)
	for round := range 4 {
		sizes := []int{0, 1, 512, 1, 128, 0, 3, unitPieceLongest + 1}
		for range 20 {
			sizes = append(sizes, r.IntN(700))
		}
		if round > 0 {
			r.Shuffle(len(sizes), func(i, j int) { sizes[i], sizes[j] = sizes[j], sizes[i] })
		}
		total := 0
		for _, n := range sizes {
			total += n
		}
		codes := make([]uint64, total)
		unitCodes(r, codes)
		kernels.OnTiers(t, fmt.Sprint("round=", round, "/dispatch="), func(t *testing.T) {
			var counter UnitCounter
			var want [64]int64
			for done, i := 0, 0; i < len(sizes); i++ {
				piece := codes[done:][:sizes[i]]
				done += len(piece)
				addUnitOracle(&want, piece)
				registers.Spoil(i%2 == 0)
				counter.Add(piece)
				got := [64]int64{63: 7}
				counter.AddTo(&got)
				got[63] -= 7
				oracle := expected[int64]{want, signsOracle(&want)}
				if err := oracle.compare(&got, counter.Signs()); err != nil {
					t.Fatalf("after pieces %v: %v", sizes[:i+1], err)
				}
			}
		})
	}
}

// unitPieceLongest is the most codes that a kernel counts at once.
const unitPieceLongest = 1<<16 - 1
