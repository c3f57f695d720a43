package search

import (
	"bytes"
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"simhashkit/asm/hamming"
)

// A structure restored from the arrays of another finds the same matches, and calls its guard
// before each use. If a block is bad, every query returns the guard's error.
func TestRestore(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	set := newShape(r, shapes[0], 64, 9000)
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&set.Words[0])), 8*len(set.Words))
	bad := errors.New("bad")
	for _, d := range []Design{{}, {5, 0}} {
		s := mustBuild(t, set, d, 0)
		checked := map[int]int{}
		for _, guard := range []*Guard{
			nil,
			NewGuard(memory, blocksOf(memory), func(block int) error { checked[block]++; return nil }),
			NewGuard(memory, blocksOf(memory), func(int) error { return bad }),
		} {
			restored, err := Restore(set, s.Design(), s.Tables(), guard)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 20 {
				q := []uint64{set.Words[i] ^ 1<<i}
				got, err := restored.AppendWithin(nil, q, 3)
				_, errNearest := restored.Nearest(q, 2, nil)
				if guard != nil && errors.Is(guard.Use(0, 1), bad) {
					if !errors.Is(err, bad) || !errors.Is(errNearest, bad) || len(got) > 0 {
						t.Errorf("%s: %v and %v of a bad block", d, err, errNearest)
					}
					continue
				}
				want, _ := s.AppendWithin(nil, q, 3)
				if !slices.Equal(got, want) || errors.Join(err, errNearest) != nil {
					t.Errorf("%s: %v, %v, %v, expected %v", d, got, err, errNearest, want)
				}
			}
		}
		for block, n := range checked {
			if n > 1 {
				t.Errorf("%s: block %d is checked %d times", d, block, n)
			}
		}
		if len(checked) == 0 {
			t.Errorf("%s: no block is checked", d)
		}
	}
	four := mustBuild(t, set, Design{Blocks: 4}, 0).Tables()
	for _, d := range []Design{{}, {3, 0}, {65, 0}, {4, 16}} {
		if _, err := Restore(set, d, four, nil); err == nil {
			t.Errorf("%s: four tables were accepted", d)
		}
	}
	if _, err := Restore(Fingerprints{Bits: 64, Words: set.Words[:8999]}, Design{Blocks: 4}, four, nil); err == nil {
		t.Error("tables of more fingerprints were accepted")
	}
}

// No number may be read before its block is checked: here, a block contains only zeros or ones
// until then, so that early reads change the results. The middle of each array is the border of two
// blocks.
func TestNothingIsReadUnchecked(t *testing.T) {
	const n, largest = 2*GuardBlock/8 + 100, 3
	r := rand.New(rand.NewPCG(1, 10))
	for _, c := range []struct {
		design Design
		width  int
	}{{Design{}, 64}, {Design{}, 130}, {Design{5, 0}, 64}, {Design{2, 1}, 64}, {Design{4, 0}, 130}} {
		set := Fingerprints{Bits: c.width}
		var centres []int
		for i := range n {
			words := randomWords(r, c.width)
			if i%1000 == 0 {
				centres = append(centres, i)
			} else if i%50 == 0 {
				words = changed(r, c.width, set.at(centres[len(centres)-1]), 1)
			}
			set.Words = append(set.Words, words...)
		}
		s := mustBuild(t, set, c.design, 0)
		flat := s.Tables()
		queries := centres[:9]
		if len(flat) > 0 {
			first := flat[0]
			screens := first.Positions[len(first.Positions)/2-3:][:6]
			bucket := first.Positions[first.Starts[len(first.Starts)/2-1]]
			for _, position := range append(screens, bucket) {
				queries = append(queries, int(position))
			}
		}
		laid := Fingerprints{Bits: set.Bits}
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
			copy(shown[block*GuardBlock:], arrays.all[block*GuardBlock:min(len(shown), (block+1)*GuardBlock)])
			return nil
		}
		for i, position := range queries {
			q := set.at(position)
			want, err := mustBuild(t, set, Design{}, 0).AppendWithin(nil, q, largest)
			if err != nil {
				t.Fatal(err)
			}
			for way := range 2 {
				copy(shown, [][]byte{zeros, ones}[way])
				restored, err := Restore(laid, c.design, flat, NewGuard(shown, blocksOf(shown), check))
				if err != nil {
					t.Fatal(err)
				}
				var got []hamming.Match
				if way == 0 {
					got, err = restored.AppendWithin(nil, q, largest)
				} else {
					got, err = restored.Nearest(q, len(want), nil)
					slices.SortFunc(got, func(a, b hamming.Match) int { return cmp.Compare(a.Index, b.Index) })
				}
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s of %d bits, query %d: %v, %v, expected %v", c.design, c.width, i, got, err, want)
				}
			}
		}
	}
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
	m.all = append(m.all, make([]byte, (GuardBlock-(len(m.all)+middle)%GuardBlock)%GuardBlock)...)
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
