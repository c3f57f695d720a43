package index

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"simhashkit/fphash/index/internal/layout"
)

// A structure restored from the arrays of another finds the same matches, and calls its guard
// before each use. If a block is bad, every query returns the guard's error.
func TestLayout(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	set := &Set{Bits: 64}
	for range 9000 {
		set.Words = append(set.Words, r.Uint64())
	}
	for _, s := range []Structure{newScan(set), mustNew(t, set, Options{design: manku10, K: 3})} {
		name := s.Name()
		flat := layoutOf(s)
		bad := errors.New("bad")
		memory := unsafe.Slice((*byte)(unsafe.Pointer(&set.Words[0])), 8*len(set.Words))
		checked := map[int]int{}
		for _, guard := range []*layout.Guard{
			nil,
			layout.NewGuard(memory, func(block int) error { checked[block]++; return nil }),
			layout.NewGuard(memory, func(int) error { return bad }),
		} {
			laid, err := Restore(set, designOf(s), flat, guard)
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
	if _, err := Restore(&Set{Bits: 64}, pigeonhole(3), nil, nil); err == nil {
		t.Error("a layout without tables was accepted")
	}
}

// No number may be read before its block is checked: here, a block contains only zeros or ones
// until then, so that early reads change the results. The middle of each array is the border of two
// blocks.
func TestNothingIsReadUnchecked(t *testing.T) {
	const n, largest = 2*layout.GuardBlock/8 + 100, 3
	r := rand.New(rand.NewPCG(1, 10))
	for _, c := range []struct {
		design Design // zero for a scan
		width  int
	}{{Design{}, 64}, {Design{}, 130}, {manku10, 64}, {pigeonhole(3), 130}} {
		set := &Set{Bits: c.width}
		var centres []int
		for i := range n {
			words := randomWords(r, c.width)
			if i%1000 == 0 {
				centres = append(centres, i)
			} else if i%50 == 0 {
				words = changed(r, c.width, set.At(centres[len(centres)-1]), 1)
			}
			set.Words = append(set.Words, words...)
		}
		var s Structure = newScan(set)
		if c.design != (Design{}) {
			s = mustNew(t, set, Options{design: c.design, K: largest})
		}
		flat := layoutOf(s)
		queries := centres[:9]
		if len(flat) > 0 {
			first := flat[0]
			screens := first.Positions[len(first.Positions)/2-3:][:6]
			bucket := first.Positions[first.Starts[len(first.Starts)/2-1]]
			for _, position := range append(screens, bucket) {
				queries = append(queries, int(position))
			}
		}
		laid := &Set{Bits: set.Bits}
		var arrays memory
		arrays.words(&laid.Words, set.Words)
		for i := range flat {
			table := &flat[i]
			for _, array := range []*[]uint32{&table.Starts, &table.Screens, &table.Positions} {
				arrays.halves(array)
			}
		}
		shown := arrays.show()
		zeros, ones := make([]byte, len(shown)), bytes.Repeat([]byte{0xff}, len(shown))
		check := func(block int) error {
			copy(shown[block*layout.GuardBlock:], arrays.all[block*layout.GuardBlock:min(len(shown), (block+1)*layout.GuardBlock)])
			return nil
		}
		for i, position := range queries {
			q := Query{Words: set.At(position)}
			want, err := s.AppendWithin(nil, q, largest)
			if err != nil {
				t.Fatal(err)
			}
			for way := range 3 {
				copy(shown, [][]byte{zeros, ones}[way%2])
				l, err := Restore(laid, designOf(s), flat, layout.NewGuard(shown, check))
				if err != nil {
					t.Fatal(err)
				}
				var got []Match
				switch way {
				case 0:
					got, err = l.AppendWithin(nil, q, largest)
				case 1:
					var many []QueryMatch
					many, err = l.AppendWithinBatch(nil, []Query{q}, largest)
					for _, m := range many {
						got = append(got, m.Match)
					}
				case 2:
					got, err = Nearest(l, q, len(want))
					slices.SortFunc(got, func(a, b Match) int { return a.Position - b.Position })
				}
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s of %d bits, query %d: %s, %v, expected %s", s.Name(), c.width, i, show(got), err, show(want))
				}
			}
		}
	}
}

// designOf returns the design of tables, or the zero design for a scan.
func designOf(s Structure) Design {
	if t, ok := s.(*tables); ok {
		return t.design
	}
	return Design{}
}

// layoutOf returns the arrays of tables, or nil for a scan.
func layoutOf(s Structure) []layout.Table {
	if t, ok := s.(*tables); ok {
		return t.layout()
	}
	return nil
}

// memory holds consecutive arrays, as in a file.
type memory struct {
	all []byte
	lay []func(shown []byte)
}

// words moves an array of words into the memory.
func (m *memory) words(to *[]uint64, from []uint64) {
	n, at := len(from), m.add(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(from))), 8*len(from)))
	if n > 0 {
		m.lay = append(m.lay, func(shown []byte) { *to = unsafe.Slice((*uint64)(unsafe.Pointer(&shown[at])), n) })
	}
}

// halves moves an array of half words into the memory.
func (m *memory) halves(array *[]uint32) {
	n, at := len(*array), m.add(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(*array))), 4*len(*array)))
	if n > 0 {
		m.lay = append(m.lay, func(shown []byte) { *array = unsafe.Slice((*uint32)(unsafe.Pointer(&shown[at])), n) })
	}
}

// add adds the bytes of an array such that a block begins in its middle, and returns their
// position.
func (m *memory) add(array []byte) (at int) {
	middle := len(array) / 16 * 8
	m.all = append(m.all, make([]byte, (layout.GuardBlock-(len(m.all)+middle)%layout.GuardBlock)%layout.GuardBlock)...)
	at = len(m.all)
	m.all = append(m.all, array...)
	return at
}

// show places the arrays in new memory.
func (m *memory) show() []byte {
	numbers := make([]uint64, (len(m.all)+7)/8)
	shown := unsafe.Slice((*byte)(unsafe.Pointer(&numbers[0])), len(m.all))
	for _, lay := range m.lay {
		lay(shown)
	}
	return shown
}
