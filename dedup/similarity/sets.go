package similarity

import "slices"

// Jaccard returns the Jaccard similarity of the distinct words of two texts: how many words both
// have, of all words that at least one has. Order and repeats do not count. Texts without words
// have 0.
func Jaccard(a, b []uint64) float64 {
	a, b = distinct(a), distinct(b)
	if len(a)+len(b) == 0 {
		return 0
	}
	both := intersection(a, b)
	return float64(both) / float64(len(a)+len(b)-both)
}

func distinct(words []uint64) []uint64 {
	words = slices.Clone(words)
	slices.Sort(words)
	return slices.Compact(words)
}

// intersection returns how many numbers two ascending lists share.
func intersection(a, b []uint64) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}
