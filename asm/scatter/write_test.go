package scatter

import (
	"testing"
	"unsafe"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
)

type implementation struct {
	write func(words *[entries]uint64, numbers *[entries]uint32, line *Line)
	fence func()
}

// onImplementations runs body on every kernel that can run here, and on the dispatch at every tier.
func onImplementations(t *testing.T, body func(t *testing.T, i implementation)) {
	list := kernels.List(writeKernels, func(tier cpu.Tier) implementation {
		return implementation{
			func(words *[entries]uint64, numbers *[entries]uint32, line *Line) {
				writeAt(tier, words, numbers, line)
			},
			func() { fenceAt(tier) },
		}
	})
	kernels.OnEach(t, "", list, implementation{Write, Fence}, body)
}

// TestWrite writes lines to aligned and unaligned destinations, flush against inaccessible pages on
// both sides, and checks that nothing else changes.
func TestWrite(t *testing.T) {
	const room = entries + 16
	onImplementations(t, func(t *testing.T, i implementation) {
		var line Line
		for e := range entries {
			line.Words[e], line.Numbers[e] = 0x0123456789ABCDEF*uint64(e+1), 0x87654321*uint32(e+1)
		}
		wordsAtStart, wordsAtEnd := guard.Slices[uint64](t, room)
		numbersAtStart, numbersAtEnd := guard.Slices[uint32](t, room)
		for _, words := range [][]uint64{wordsAtStart, wordsAtEnd} {
			for _, numbers := range [][]uint32{numbersAtStart, numbersAtEnd} {
				for from := range room - entries + 1 {
					clear(words)
					clear(numbers)
					i.write((*[entries]uint64)(words[from:]), (*[entries]uint32)(numbers[from:]), &line)
					i.fence()
					checkLine(t, words, numbers, from, &line)
				}
			}
		}
	})
}

func checkLine(t *testing.T, words []uint64, numbers []uint32, from int, line *Line) {
	t.Helper()
	for at := range words {
		word, number := uint64(0), uint32(0)
		if e := at - from; e >= 0 && e < entries {
			word, number = line.Words[e], line.Numbers[e]
		}
		if words[at] != word || numbers[at] != number {
			t.Fatalf("written at %d: entry %d is %#x and %#x, expected %#x and %#x", from, at, words[at], numbers[at], word, number)
		}
	}
}

// TestAligned checks that only aligned destinations bypass the caches.
func TestAligned(t *testing.T) {
	words, numbers := make([]uint64, 1<<16), make([]uint32, 1<<16) // large slices start at a page boundary
	for i := range 16 {
		w, n := (*[entries]uint64)(words[i:]), (*[entries]uint32)(numbers[i:])
		if want := uintptr(unsafe.Pointer(w))%64 == 0 && uintptr(unsafe.Pointer(n))%64 == 0; aligned(w, n) != want || want != (i == 0) {
			t.Errorf("entry %d: aligned is %v", i, !want)
		}
	}
}

func TestAllocations(t *testing.T) {
	words, numbers, line := new([entries]uint64), new([entries]uint32), new(Line)
	if n := testing.AllocsPerRun(10, func() { Write(words, numbers, line); Fence() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
