//go:build !purego

package wordscan

import (
	"bytes"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/registers"
)

// TestLowerWholeBlocks checks that the kernel itself converts every whole block of 32 bytes up to
// the first block with a byte that is not ASCII, and leaves none of these blocks to pure Go.
func TestLowerWholeBlocks(t *testing.T) {
	if !lowerKernels[0].Available() {
		t.Skip("AVX2 is not available")
	}
	r := cases.Seeded(t)
	_, room := guard.Slices[byte](t, 300)
	for round := range cases.Rounds(t, 3000, 30_000) {
		text := room[r.IntN(len(room)+1):]
		draw(r, text, 1+round%2)
		if round%3 > 0 {
			for i := range text {
				text[i] &= 127
			}
		}
		want := len(lowerOracle(text)) / 32 * 32
		dst := make([]byte, len(text))
		registers.Spoil(round%4 < 2)
		if n := lowerAt(cpu.AVX2, dst, text); n != want || !bytes.Equal(dst[:n], lowerOracle(text)[:n]) {
			t.Fatalf("%q: %q of %d bytes lowered, want %d", text, dst[:n], n, want)
		}
	}
}
