package join

import (
	"testing"

	"simhashkit/fphash/index"
)

// FuzzPairs compares joins of a few fingerprints, with keys of any length, with comparing all
// pairs.
func FuzzPairs(f *testing.F) {
	f.Add([]byte{3, 0, 1, 0, 1, 2, 0, 9, 9, 1, 5, 6, 2, 2, 2})
	f.Add([]byte{1, 1, 0x86, 0, 1, 2, 0, 9, 9, 1, 5, 6, 2, 2, 2, 1, 1, 2})
	f.Add([]byte{8, 2, 0x4B, 3, 3, 3, 3, 3, 4, 3, 4, 5})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 6 {
			return
		}
		width := []int{64, 16, 100, 128}[data[1]%4]
		j := &Join{K: int(data[0] % 12), Workers: 1 + int(data[2]>>5&1)}
		j.Set = drawn(width, data[3:min(len(data), 120)])
		p := j.plan()
		blocks := j.K/(1+int(data[2]>>4)%3) + 1
		if d := int(data[2] % 16); d > 0 && d <= width/blocks && j.K < width {
			p.byBlocks(blocks, d)
			p.first = uint(min(d, int(data[2]>>3)%4))
			p.second = uint(d) - p.first
		}
		checkEqual(t, pairsOracle(j), collect(t, j, p))
	})
}

// drawn returns a fingerprint for each three bytes: one of four fingerprints with two bits flipped.
func drawn(width int, data []byte) *index.Set {
	s := &index.Set{Bits: width}
	w := s.Stride()
	for ; len(data) >= 3; data = data[3:] {
		words := make([]uint64, w)
		for i := range words {
			words[i] = splitMix64(uint64(data[0]%4) + uint64(i)<<8)
		}
		for _, b := range data[1:3] {
			bit := int(b) % width
			words[bit/64] ^= 1 << (bit % 64)
		}
		s.Words = append(s.Words, words...)
	}
	return trimmed(s)
}
