package wordscan

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// hashOracle is the specification of XXH64 for fewer than 32 bytes and seed 0. Do not change it.
func hashOracle(input []byte) uint64 {
	const p1, p2, p3, p4, p5 = 11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261
	rotate := func(x uint64, by int) uint64 { return x<<by | x>>(64-by) }
	acc := p5 + uint64(len(input))
	for ; len(input) >= 8; input = input[8:] {
		lane := binary.LittleEndian.Uint64(input) * p2
		acc = rotate(acc^rotate(lane, 31)*p1, 27)*p1 + p4
	}
	if len(input) >= 4 {
		acc = rotate(acc^uint64(binary.LittleEndian.Uint32(input))*p1, 23)*p2 + p3
		input = input[4:]
	}
	for _, b := range input {
		acc = rotate(acc^uint64(b)*p5, 11) * p1
	}
	acc = (acc ^ acc>>33) * p2
	acc = (acc ^ acc>>29) * p3
	return acc ^ acc>>32
}

var hashes = kernels.List(xxh64Kernels, func(tier cpu.Tier) func(dst []uint64, text []byte, words []Span) int {
	return func(dst []uint64, text []byte, words []Span) int { return xxh64Of(tier, dst, text, words) }
})

// onHashes runs body on every kernel that can run here, and on the dispatch at every tier.
func onHashes(t *testing.T, body func(t *testing.T, hash func(dst []uint64, text []byte, words []Span) int)) {
	kernels.OnEach(t, "", hashes, XXH64, body)
}

// compareHash compares an implementation with the hashOracle, after filling the registers with
// useless values. The implementation must hash all words before the first that is too long or too
// close to the end, and write nothing else to dst.
func compareHash(hash func(dst []uint64, text []byte, words []Span) int, text []byte, words []Span) error {
	want := 0
	for want < len(words) && words[want].To-words[want].From < 24 && words[want].From+24 <= len(text) {
		want++
	}
	for _, ones := range []bool{true, false} { // contents of the registers before the call
		dst := make([]uint64, len(words)+9)
		for i := range dst {
			dst[i] = 7
		}
		registers.Spoil(ones)
		if n := hash(dst[:len(words)], text, words); n != want {
			return fmt.Errorf("hashed %d words of %v in %d bytes, want %d", n, words, len(text), want)
		}
		for i, w := range words[:want] {
			if expected := hashOracle(text[w.From:w.To]); dst[i] != expected {
				return fmt.Errorf("word %d of %v, %q: %x, want %x", i, words, text[w.From:w.To], dst[i], expected)
			}
		}
		for i, word := range dst[want:] {
			if word != 7 {
				return fmt.Errorf("%v in %d bytes: word %d was written, but only %d are hashed", words, len(text), want+i, want)
			}
		}
	}
	return nil
}

// drawSpans returns words of a text with all lengths below longest. They may overlap, repeat and
// leave gaps.
func drawSpans(r *rand.Rand, n, size, longest int) []Span {
	words := make([]Span, n)
	for i := range words {
		length := r.IntN(min(longest, size+1))
		from := r.IntN(size - length + 1)
		words[i] = Span{From: from, To: from + length}
	}
	return words
}

func bytesOf(r *rand.Rand, n int) []byte {
	text := make([]byte, n)
	for i := range text {
		text[i] = byte(r.Uint32())
	}
	return text
}

// TestHashAtEveryLengthAndPlace tests words of every length at every position of a whole group of
// words and of an incomplete one.
func TestHashAtEveryLengthAndPlace(t *testing.T) {
	r := cases.Seeded(t)
	text := bytesOf(r, 200)
	onHashes(t, func(t *testing.T, hash func(dst []uint64, text []byte, words []Span) int) {
		for length := range 30 {
			for place := range 20 {
				words := drawSpans(r, 20, 100, 24)
				words[place] = Span{From: 3 * place, To: 3*place + length}
				if err := compareHash(hash, text, words); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// TestHashBetweenGuardPages tests words at both ends of texts of all lengths, flush against
// inaccessible pages on both sides.
func TestHashBetweenGuardPages(t *testing.T) {
	const longest = 512
	r := cases.Seeded(t)
	atStart, atEnd := guard.Slices[byte](t, longest)
	wordsAtStart, wordsAtEnd := guard.Slices[Span](t, 40)
	hashesAtStart, hashesAtEnd := guard.Slices[uint64](t, 40)
	for i := range atStart {
		atStart[i], atEnd[i] = byte(r.Uint32()), byte(r.Uint32())
	}
	onHashes(t, func(t *testing.T, hash func(dst []uint64, text []byte, words []Span) int) {
		for size := range longest + 1 {
			n := size % 41
			text := [][]byte{atStart[:size], atEnd[longest-size:]}[size/41%2]
			for _, words := range [][]Span{wordsAtStart[:n], wordsAtEnd[40-n:]} {
				for i := range words {
					from := max(0, size-23-i%3) // the first start that is not hashed, and the two before it
					if i != n-1 {
						from = max(0, size-24-i)
					}
					words[i] = Span{From: from, To: min(size, from+i%24)}
				}
				for _, dst := range [][]uint64{hashesAtStart[:n], hashesAtEnd[40-n:]} {
					for i, h := range dst[:hash(dst, text, words)] {
						if want := hashOracle(text[words[i].From:words[i].To]); h != want {
							t.Fatalf("word %d, %v of %d bytes: %x, want %x", i, words[i], size, h, want)
						}
					}
				}
			}
		}
	})
}

func TestHashOfRandomWords(t *testing.T) {
	r := cases.Seeded(t)
	for range cases.Rounds(t, 2000, 20_000) {
		text := bytesOf(r, r.IntN(300))
		compareHashes(t, text, drawSpans(r, r.IntN(50), len(text), []int{9, 24, 24, 25, 40}[r.IntN(5)]))
	}
}

// FuzzHash compares all kernels with the hashOracle. Bytes of the data give the lengths of the
// words.
func FuzzHash(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog, and then some more words"), []byte{3, 5, 5, 3, 23, 16, 8, 15, 1, 0, 4, 24})
	f.Fuzz(func(t *testing.T, text, lengths []byte) {
		var words []Span
		at := 0
		for _, length := range lengths {
			if n := int(length % 32); at+n <= len(text) {
				words = append(words, Span{From: at, To: at + n})
				at += n / 2
			}
		}
		compareHashes(t, text, words)
	})
}

// compareHashes compares all kernels that can run here with the hashOracle. If one fails, it prints
// a small list of words that fails.
func compareHashes(t *testing.T, text []byte, words []Span) {
	t.Helper()
	for _, k := range hashes {
		if !k.Available() || compareHash(k.Call, text, words) == nil {
			continue
		}
		words = cases.Shrink(words, func(Span) []Span { return nil }, func(words []Span) bool { return compareHash(k.Call, text, words) != nil })
		t.Fatal(k.Name, compareHash(k.Call, text, words))
	}
}

// TestHashMisuseAndAllocation checks that a dst that is too short panics, and that nothing is
// allocated.
func TestHashMisuseAndAllocation(t *testing.T) {
	text, words, dst := make([]byte, 100), make([]Span, 20), make([]uint64, 20)
	kernels.OnTiers(t, "", func(t *testing.T) {
		if kernels.PanicOf(func() { XXH64(dst[:19:19], text, words) }) == nil {
			t.Error("20 words into room for 19 are no panic")
		}
		if n := testing.AllocsPerRun(5, func() { XXH64(dst, text, words) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// TestHashLeavesTheUpperStateClean checks that kernels leave the upper halves of the vector
// registers clean.
func TestHashLeavesTheUpperStateClean(t *testing.T) {
	if !registers.UpperKnown() {
		t.Skip("this processor cannot report the register state in use")
	}
	text, words, dst := make([]byte, 100), make([]Span, 20), make([]uint64, 20)
	onHashes(t, func(t *testing.T, hash func(dst []uint64, text []byte, words []Span) int) {
		for n := range words {
			kernels.LeavesClean(t, n, func() { hash(dst, text, words[:n]) })
			words[n].To = n + 5 // the last word is too long
		}
	})
}
