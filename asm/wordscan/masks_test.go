package wordscan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// tables are the sets for words, the sets for JSON, and sets that use all bits and the last ASCII
// bytes.
var tables = [][3]string{
	{rangeOf('0', '9') + rangeOf('A', 'Z') + rangeOf('a', 'z'), ":;,.'", "_"},
	{rangeOf(0, 31) + `"\`, `"`, `\`},
	{rangeOf(0, 3) + rangeOf(0x10, 0x16) + rangeOf(0x40, 0x40) + rangeOf(0x5F, 0x5F), "\x7f~o", rangeOf(0, 127)},
	{},
}

// masksOracle is the definition. Do not change it.
func masksOracle(text []byte, sets [3]string) [][4]uint64 {
	blocks := make([][4]uint64, (len(text)+blockSize-1)/blockSize)
	for i, b := range text {
		for set, members := range sets {
			if bytes.IndexByte([]byte(members), b) >= 0 {
				blocks[i/64][set] |= 1 << (i % 64)
			}
		}
		if b > 127 {
			blocks[i/64][3] |= 1 << (i % 64)
		}
	}
	return blocks
}

// lowerOracle is the definition. Do not change it.
func lowerOracle(text []byte) (lower []byte) {
	for _, b := range text {
		if b > 127 {
			break
		}
		lower = append(lower, bytes.ToLower([]byte{b})...)
	}
	return lower
}

type implementation struct {
	masks func(dst [][4]uint64, text []byte, table *Table)
	lower func(dst, text []byte) int
}

var (
	masksImplementations = kernels.List(masksKernels, func(tier cpu.Tier) implementation {
		return implementation{func(dst [][4]uint64, text []byte, table *Table) { masksOf(tier, dst, text, table) }, Lower}
	})
	lowerImplementations = kernels.List(lowerKernels, func(tier cpu.Tier) implementation {
		return implementation{Masks, func(dst, text []byte) int { return lowerOf(tier, dst, text) }}
	})
)

// onImplementations runs body on every kernel that can run here, and on the dispatch at every tier.
func onImplementations(t *testing.T, body func(t *testing.T, i implementation)) {
	kernels.OnEach(t, "", slices.Concat(masksImplementations, lowerImplementations), implementation{Masks, Lower}, body)
}

// compare compares an implementation with the oracles. It fills the registers with useless values
// first, and checks that nothing is written after the blocks or after the length of the text.
func compare(k implementation, text []byte, sets [3]string, table *Table) error {
	want := masksOracle(text, sets)
	for _, ones := range []bool{true, false} { // contents of the registers before the call
		room := make([][4]uint64, len(want)+1)
		for i := range room {
			room[i] = [4]uint64{7, 7, 7, 7}
		}
		registers.Spoil(ones)
		k.masks(room[:len(want)], text, table)
		for i, got := range room {
			expected := [4]uint64{7, 7, 7, 7}
			if i < len(want) {
				expected = want[i]
			}
			if got != expected {
				return fmt.Errorf("masks of %q by %q: block %d is %x, want %x", text, sets, i, got, expected)
			}
		}
		lower, before := lowerOracle(text), bytes.Clone(text)
		dst := bytes.Repeat([]byte{7}, len(text)+1)
		registers.Spoil(ones)
		n := k.lower(dst, text)
		if n != len(lower) || !bytes.Equal(dst[:n], lower) || dst[len(text)] != 7 || !bytes.Equal(text, before) {
			return fmt.Errorf("lower-case %q: %q, %d bytes, want %q", text, dst, n, lower)
		}
	}
	return nil
}

// draw fills a text with one of three kinds of bytes: any, ASCII, or bytes next to the bounds of
// classes.
func draw(r *rand.Rand, text []byte, kind int) {
	const borders = "/0:@AZ[\\]^_`az{\x7f\x1f !\"09,-.'"
	for i := range text {
		text[i] = byte(r.Uint32())
		switch {
		case kind == 1:
			text[i] &= 127
		case kind == 2 && r.IntN(50) > 0:
			text[i] = borders[r.IntN(len(borders))]
		}
	}
}

// TestBetweenGuardPages tests every length from 0 to 512 at eight alignments, and flush against
// inaccessible pages on both sides.
func TestBetweenGuardPages(t *testing.T) {
	const longest = 512
	r := cases.Seeded(t)
	atStart, atEnd := guard.Slices[byte](t, longest)
	draw(r, atStart, 1) // only ASCII
	draw(r, atEnd, 1)
	blocksAtStart, blocksAtEnd := guard.Slices[[4]uint64](t, (longest+blockSize-1)/blockSize)
	loweredAtStart, loweredAtEnd := guard.Slices[byte](t, longest)
	table := NewTable(tables[0])
	onImplementations(t, func(t *testing.T, k implementation) {
		check := func(text []byte) {
			t.Helper()
			n, blocks := len(text), (len(text)+blockSize-1)/blockSize
			want := make([][4]uint64, blocks)
			masksOf(cpu.Generic, want, text, table) // other tests compare it with the oracle
			for _, dst := range [][][4]uint64{blocksAtStart[:blocks], blocksAtEnd[len(blocksAtEnd)-blocks:]} {
				k.masks(dst, text, table)
				for i := range want {
					if dst[i] != want[i] {
						t.Fatalf("%d bytes: block %d is %x, want %x", n, i, dst[i], want[i])
					}
				}
			}
			lower := lowerOracle(text)
			for _, dst := range [][]byte{loweredAtStart[:n], loweredAtEnd[longest-n:]} {
				if got := k.lower(dst, text); !bytes.Equal(dst[:got], lower) {
					t.Fatalf("%q as lower-case: %q, want %q", text, dst[:got], lower)
				}
			}
		}
		for n := range longest + 1 {
			for offset := range min(8, longest-n+1) {
				check(atStart[offset : offset+n])
				check(atEnd[longest-n-offset : longest-offset])
			}
		}
	})
}

// TestEveryByteAtEveryPlace puts every byte at every position of two blocks, among bytes of other
// classes.
func TestEveryByteAtEveryPlace(t *testing.T) {
	onImplementations(t, func(t *testing.T, k implementation) {
		for i, sets := range tables {
			table := NewTable(sets)
			for b := range 256 {
				for place := b % 11; place < 130; place += 11 {
					text := bytes.Repeat([]byte("a Z_"), 33)[:130]
					text[place] = byte(b)
					if err := compare(k, text[:max(place+1, 130-i)], sets, table); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	})
}

func TestRandomTexts(t *testing.T) {
	r := cases.Seeded(t)
	for range cases.Rounds(t, 300, 3000) {
		text := make([]byte, r.IntN(400))
		draw(r, text, r.IntN(3))
		compareAll(t, text, tables[r.IntN(len(tables))])
	}
}

// FuzzKernels compares all kernels with the oracles.
func FuzzKernels(f *testing.F) {
	for i, text := range []string{"", "The Quick_brown 'fox', 3.14", strings.Repeat("\"\\\n\u00e9Z[@`{", 20)} {
		f.Add([]byte(text), byte(i))
	}
	f.Fuzz(func(t *testing.T, text []byte, which byte) { compareAll(t, text, tables[int(which)%len(tables)]) })
}

// compareAll compares all kernels that can run here with the oracles. If one fails, it prints a
// small input that fails.
func compareAll(t *testing.T, text []byte, sets [3]string) {
	t.Helper()
	table := NewTable(sets)
	check := func(name string, k implementation) {
		t.Helper()
		if compare(k, text, sets, table) == nil {
			return
		}
		text = cases.Shrink(text, func(byte) []byte { return nil }, func(text []byte) bool { return compare(k, text, sets, table) != nil })
		t.Fatal(name, compare(k, text, sets, table))
	}
	for _, k := range masksImplementations {
		if k.Available() {
			check("masks "+k.Name, k.Call)
		}
	}
	for _, k := range lowerImplementations {
		if k.Available() {
			check("lower "+k.Name, k.Call)
		}
	}
}

// TestMisuseAndAllocation checks that wrong sizes and sets with too many rows panic, and that
// nothing is allocated.
func TestMisuseAndAllocation(t *testing.T) {
	table := NewTable(tables[0])
	for name, call := range map[string]func(){
		"blocks of masks":           func() { Masks(make([][4]uint64, 1), make([]byte, 65), table) },
		"out of range":              func() { Lower(make([]byte, 3), make([]byte, 4)) },
		"out of range [8]":          func() { NewTable([3]string{"", "", "\x80"}) },
		"more than 4 different":     func() { NewTable([3]string{"\x00\x11\x22\x33\x44"}) },
		"set 2, \"\\x00\\x11\\\"\"": func() { NewTable([3]string{"", "", "\x00\x11\x22"}) },
	} {
		if value := fmt.Sprint(kernels.PanicOf(call)); !strings.Contains(value, name) {
			t.Errorf("panic %s, want %s", value, name)
		}
	}
	kernels.OnTiers(t, "", func(t *testing.T) {
		text, dst, blocks := make([]byte, 100), make([]byte, 100), make([][4]uint64, 2)
		if n := testing.AllocsPerRun(5, func() { Masks(blocks, text, table); Lower(dst, text) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// TestKernelsLeaveTheUpperStateClean checks that kernels leave the upper halves of the vector
// registers clean.
func TestKernelsLeaveTheUpperStateClean(t *testing.T) {
	if !registers.UpperKnown() {
		t.Skip("this processor cannot report the register state in use")
	}
	text, dst, blocks, table := make([]byte, 300), make([]byte, 300), make([][4]uint64, (300+blockSize-1)/blockSize), NewTable(tables[0])
	onImplementations(t, func(t *testing.T, k implementation) {
		for n := range text {
			kernels.LeavesClean(t, n, func() { k.masks(blocks[:(n+blockSize-1)/blockSize], text[:n], table) })
			kernels.LeavesClean(t, n, func() { k.lower(dst, text[:n]) })
		}
	})
}

// rangeOf returns the bytes from first to last.
func rangeOf(first, last byte) string {
	var b strings.Builder
	for c := int(first); c <= int(last); c++ {
		b.WriteByte(byte(c))
	}
	return b.String()
}
