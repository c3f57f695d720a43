//go:build !purego

package wordscan

import (
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/registers"
)

// TestWholeGroups checks that the kernel itself hashes every whole group of eight words up to the
// first group with a word that it cannot hash, and leaves none of these groups to pure Go.
func TestWholeGroups(t *testing.T) {
	if !xxh64Kernels[0].Available() {
		t.Skip("AVX-512 is not available")
	}
	r := cases.Seeded(t)
	_, room := guard.Slices[byte](t, 300)
	copy(room, bytesOf(r, 300))
	for round := range cases.Rounds(t, 3000, 30_000) {
		text := room[r.IntN(250):]
		words := drawSpans(r, r.IntN(40), max(0, len(text)-r.IntN(30)), []int{9, 24, 25}[round%3])
		if len(words) > 0 && round%2 == 0 { // the last possible start, and those next to it
			from := max(0, len(text)-wordRoom+r.IntN(3)-1)
			words[r.IntN(len(words))] = Span{From: from, To: min(from+r.IntN(wordRoom), len(text))}
		}
		dst, want := make([]uint64, len(words)), 0
		for want+8 <= len(words) && groupIsUsual(text, words[want:want+8]) {
			want += 8
		}
		registers.Spoil(round%4 < 2)
		if n := xxh64At(cpu.AVX512, dst, text, words); n != want {
			t.Fatalf("%v in %d bytes: %d hashed, want %d", words, len(text), n, want)
		}
		for i, w := range words[:want] {
			if expected := hashOracle(text[w.From:w.To]); dst[i] != expected {
				t.Fatalf("word %d of %v: %x, want %x", i, words, dst[i], expected)
			}
		}
	}
}

func groupIsUsual(text []byte, words []Span) bool {
	for _, w := range words {
		if w.To-w.From >= wordRoom || w.From+wordRoom > len(text) {
			return false
		}
	}
	return true
}
