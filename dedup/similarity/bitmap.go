package similarity

import "math/bits"

// Bitmap is a summary of the words of a text, without their order. Each word flips one bit, so two
// texts whose multisets of words differ in d words have bitmaps that differ in at most d bits.
type Bitmap [2]uint64

// BitmapOf returns the Bitmap of a text.
func BitmapOf(words []uint64) (b Bitmap) {
	for _, word := range words {
		b[word>>63] ^= 1 << (word >> 57 & 63)
	}
	return b
}

// MayBeSimilar reports whether the numbers of words and the bitmaps of two texts allow a similarity
// of at least s.
func MayBeSimilar(s float64, wordsA, wordsB int, a, b Bitmap) bool {
	need := needed(s, max(wordsA, wordsB))
	differ := bits.OnesCount64(a[0]^b[0]) + bits.OnesCount64(a[1]^b[1])
	return min(wordsA, wordsB) >= need && differ <= wordsA+wordsB-2*need
}
