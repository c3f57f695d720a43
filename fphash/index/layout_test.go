package index

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// A structure that is laid over the arrays of another finds the same, and asks its guard before it
// looks anywhere: where a block is bad, every way to ask gives the guard's error.
func TestLayout(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for _, masks := range []bool{false, true} {
		set := &Set{Bits: 64}
		for range 9000 {
			set.Words = append(set.Words, r.Uint64())
			if masks {
				set.Masks = append(set.Masks, 1<<r.IntN(64)|1<<r.IntN(64))
			}
		}
		for _, name := range []string{"scan", "manku10"} {
			s, err := New(set, Options{Structure: name, K: 3})
			if err != nil {
				t.Fatal(err)
			}
			layout, err := LayoutOf(s)
			if err != nil {
				t.Fatal(err)
			}
			bad := errors.New("bad")
			memory := unsafe.Slice((*byte)(unsafe.Pointer(&set.Words[0])), 8*len(set.Words))
			checked := map[int]int{}
			for _, guard := range []*Guard{
				nil,
				NewGuard(memory, func(block int) error { checked[block]++; return nil }),
				NewGuard(memory, func(int) error { return bad }),
			} {
				laid, err := layout.Structure(set, guard)
				if err != nil {
					t.Fatal(err)
				}
				for i := range 20 {
					q := Query{Words: []uint64{set.Words[i] ^ 1<<i}}
					got, err := laid.AppendWithin(nil, q, 3)
					many, errMany := laid.AppendWithinBatch(nil, []Query{q}, 3)
					_, errNearest := Nearest(laid, q, 2)
					if guard != nil && errors.Is(guard.Use(0, 1), bad) {
						if !errors.Is(err, bad) || !errors.Is(errMany, bad) || !errors.Is(errNearest, bad) || len(got)+len(many) > 0 {
							t.Errorf("%s: %v, %v and %v of a bad block", name, err, errMany, errNearest)
						}
						continue
					}
					want, _ := s.AppendWithin(nil, q, 3)
					if !slices.Equal(got, want) || len(many) != len(want) || errors.Join(err, errMany, errNearest) != nil {
						t.Errorf("%s: %v and %v, %v, %v, %v, expected %v", name, got, many, err, errMany, errNearest, want)
					}
				}
			}
			for block, n := range checked {
				if n > 1 {
					t.Errorf("%s: block %d is checked %d times", name, block, n)
				}
			}
			if len(checked) == 0 {
				t.Errorf("%s: no block is checked", name)
			}
		}
	}
	ball, _ := New(&Set{Bits: 64}, Options{Structure: "ball"})
	if _, err := LayoutOf(ball); err == nil {
		t.Error("a ball has a layout")
	}
	if _, err := (Layout{Design: Blocks(3)}).Structure(&Set{Bits: 64}, nil); err == nil {
		t.Error("a layout without tables is taken")
	}
}
