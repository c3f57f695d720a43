package search

import (
	"errors"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// Whatever is asked for, of one block or of several: all blocks that it has a part of are checked
// before it may be used, no others, and none twice that was good. There are more blocks than one
// word has bits.
func TestGuardChecksWhatIsUsed(t *testing.T) {
	const blocks, last = 70, 100 // bytes of the last block
	numbers := make([]uint64, ((blocks-1)*GuardBlock+last)/8)
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&numbers[0])), 8*len(numbers))
	r := rand.New(rand.NewPCG(11, 11))
	errBad := errors.New("bad")
	for range 50 {
		checked, bad := map[int]int{}, r.IntN(2*blocks)
		g := NewGuard(memory, blocksOf(memory), func(block int) error {
			checked[block]++
			if block == bad {
				return errBad
			}
			return nil
		})
		known := map[int]bool{}
		for range 50 {
			from := r.IntN(len(numbers))
			if r.IntN(2) == 0 { // near the border of two blocks
				from = max(0, min(len(numbers), (1+r.IntN(blocks-1))*GuardBlock/8)-r.IntN(3))
			}
			n := r.IntN(min(4, len(numbers)-from+1))
			if r.IntN(4) == 0 {
				n = r.IntN(len(numbers) - from + 1)
				n = min(n, 3*GuardBlock/8)
			}
			var err error
			if r.IntN(2) == 0 {
				err = g.Use(8*from, 8*n)
			} else {
				err = Use(g, numbers[from:from+n])
			}
			met := false
			for block := 8 * from / GuardBlock; n > 0 && block <= (8*(from+n)-1)/GuardBlock && !met; block++ {
				if met = block == bad; !met {
					known[block] = true
				}
				if checked[block] == 0 {
					t.Fatalf("%d numbers from %d on are used, and block %d is not checked", n, from, block)
				}
			}
			if errors.Is(err, errBad) != met {
				t.Fatalf("%d numbers from %d on: %v where block %d is bad", n, from, err, bad)
			}
		}
		for block, n := range checked {
			if block != bad && (n > 1 || !known[block]) {
				t.Errorf("block %d is checked %d times, and used %v", block, n, known[block])
			}
		}
	}
	if err := Use(NewGuard(memory, blocksOf(memory), func(int) error { return errBad }), []uint64{1}); err != nil {
		t.Errorf("numbers that lie elsewhere: %v", err)
	}
}

func blocksOf(memory []byte) int { return (len(memory) + GuardBlock - 1) / GuardBlock }
