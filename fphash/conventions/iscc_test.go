package conventions

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Each digest counts once, of any size and however many pieces they are counted in: near the middle
// one digest decides a bit, the last one also. What counts is used again by the next call.
func TestSimilarityHashOfAnyNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	for _, size := range []int{1, 7, 8, 31, 32, 33, 64, 70} {
		for _, n := range []int{1, 2, digestChunk - 1, digestChunk, digestChunk + 1, 2 * digestChunk, 2*digestChunk + 1, 3*digestChunk + 5} {
			digests := make([][]byte, n)
			for i := range digests {
				digests[i] = make([]byte, size)
				for j := range digests[i] {
					digests[i][j] = byte(r.Uint32())
				}
			}
			for bit := range min(8*size, 16) { // half of the digests have a one there, or one less
				first := (n - bit%2) / 2
				for i, digest := range digests {
					digest[bit/8] &^= 1 << (bit % 8)
					if i >= n-first-bit%2 {
						digest[bit/8] |= 1 << (bit % 8)
					}
				}
			}
			got, err := SimilarityHash(digests)
			if want := naiveSimilarityHash(digests); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d digests of %d bytes: %x, %v, expected %x", n, size, got, err, want)
			}
		}
	}
}
