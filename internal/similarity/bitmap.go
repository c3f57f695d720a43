package similarity

import "math/bits"

// Bitmap is a summary of the words of a text, without their order. Each word flips one bit, so two
// texts whose multisets of words differ in d words have bitmaps that differ in at most d bits.
type Bitmap [bitmapSize]uint64

// bitmapSize is the size of a Bitmap in words of 64 bits, a power of two. Two texts of n words that
// have little in common differ in half of the bits, so 512 bits tell them apart up to about 1,000
// words at the similarity 0.9.
const bitmapSize = 8

// BitmapOf returns the Bitmap of a text.
func BitmapOf(words []uint64) (b Bitmap) {
	for _, word := range words {
		b[word>>32%bitmapSize] ^= 1 << (word >> 58)
	}
	return b
}

// MayBeSimilar reports whether the numbers of words and the bitmaps of two texts allow a similarity
// of at least s.
func MayBeSimilar(s float64, wordsA, wordsB int, a, b *Bitmap) bool {
	need := needed(s, max(wordsA, wordsB))
	if min(wordsA, wordsB) < need {
		return false
	}
	differ := 0
	for i := range a {
		differ += bits.OnesCount64(a[i] ^ b[i])
	}
	return differ <= wordsA+wordsB-2*need
}
