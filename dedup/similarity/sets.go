package similarity

import (
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// shingleWords is how many words in a row Contained compares.
const shingleWords = 3

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

// Contained returns the share of the distinct runs of three words of a text that another one has,
// too. A text of fewer words is one run of all of them, and occurs in the other one if that has the
// words in a row; a text without words has 0.
func Contained(text, other []uint64) float64 {
	size := min(shingleWords, len(text))
	if size == 0 {
		return 0
	}
	runs := shingles(text, size)
	return float64(intersection(runs, shingles(other, size))) / float64(len(runs))
}

// shingles returns hashes of the runs of so many words, ascending and each once.
func shingles(words []uint64, size int) []uint64 {
	bytes := make([]byte, 0, 8*len(words))
	for _, word := range words {
		bytes = binary.LittleEndian.AppendUint64(bytes, word)
	}
	var runs []uint64
	for ; len(bytes) >= 8*size; bytes = bytes[8:] {
		runs = append(runs, xxhash.Sum64(bytes[:8*size]))
	}
	slices.Sort(runs)
	return slices.Compact(runs)
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
