package hamming

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

// NearPair has the positions of two words that differ in few bits. There are at most 2^32 rows, and
// as many columns.
type NearPair struct{ Row, Column uint32 }

// AppendNear appends to dst a NearPair for every row and column that differ in at most k bits, in
// ascending order of Row and then of Column. A k below 0 matches nothing, and a k of 32 or more
// matches everything.
//
// It is the screen of a join, for 32 bits of each fingerprint; the caller has to verify the pairs
// that pass on whole fingerprints. Cost: with vector kernels, a small part of a cycle per pair if
// almost no pairs are near, as for random words up to a k of about 5. Rows with a near pair are
// compared again, which costs about ten times as much, and each pair found takes a nanosecond or
// two.
func AppendNear(dst []NearPair, rows, columns []uint32, k int) []NearPair {
	return appendNear(cpu.Active(), dst, rows, columns, k)
}

// AppendNearPairs is AppendNear for pairs within words: it appends each pair once, and no pair of a
// word with itself. Row is less than Column.
func AppendNearPairs(dst []NearPair, words []uint32, k int) []NearPair {
	return appendNearPairs(cpu.Active(), dst, words, k)
}

const rowsOfGroup = 4 // screened together

// Kernels screen groups of rows, and stop at groups that may have a pair. Only for these are the
// columns found one by one. With a limit of 32 or more, every pair is near, so there is nothing to
// screen.

func appendNear(tier cpu.Tier, dst []NearPair, rows, columns []uint32, k int) []NearPair {
	if k < 0 || len(columns) == 0 {
		return dst
	}
	if tier < cpu.AVX2 || k >= 32 {
		return appendNearGeneric(dst, rows, columns, k)
	}
	for row := 0; row < len(rows); {
		if len(rows) >= rowsOfGroup {
			row = screenRowsAt(tier, rows, columns, row, uint64(k))
		}
		for end := min(row+rowsOfGroup, len(rows)); row < end; row++ {
			dst = appendColumns(tier, dst, uint32(row), rows[row], columns, 0, k)
		}
	}
	return dst
}

func appendNearPairs(tier cpu.Tier, dst []NearPair, words []uint32, k int) []NearPair {
	if k < 0 {
		return dst
	}
	if tier < cpu.AVX2 || k >= 32 || len(words) < rowsOfGroup {
		return appendNearPairsGeneric(dst, words, k)
	}
	for row := 0; row < len(words)-1; {
		row = screenPairsAt(tier, words, row, uint64(k))
		for end := min(row+rowsOfGroup, len(words)-1); row < end; row++ {
			dst = appendColumns(tier, dst, uint32(row), words[row], words, row+1, k)
		}
	}
	return dst
}

// appendColumns appends the pairs of a row with the columns starting at from.
func appendColumns(tier cpu.Tier, dst []NearPair, row, word uint32, columns []uint32, from, k int) []NearPair {
	for from < len(columns) {
		at, hits := nearColumnsAt(tier, columns[from:], word, uint64(k))
		for from += at; hits != 0; hits &= hits - 1 {
			dst = append(dst, NearPair{row, uint32(from + bits.TrailingZeros64(hits))})
		}
		from += 64
	}
	return dst
}

func appendNearGeneric(dst []NearPair, rows, columns []uint32, k int) []NearPair {
	for row, word := range rows {
		dst = appendColumnsGeneric(dst, uint32(row), word, columns, 0, k)
	}
	return dst
}

func appendNearPairsGeneric(dst []NearPair, words []uint32, k int) []NearPair {
	for row, word := range words {
		dst = appendColumnsGeneric(dst, uint32(row), word, words, row+1, k)
	}
	return dst
}

// appendColumnsGeneric appends the pairs of a row with the columns starting at from.
func appendColumnsGeneric(dst []NearPair, row, word uint32, columns []uint32, from, k int) []NearPair {
	for ; from+4 <= len(columns); from += 4 {
		c := (*[4]uint32)(columns[from:])
		d0, d1 := bits.OnesCount32(c[0]^word), bits.OnesCount32(c[1]^word)
		d2, d3 := bits.OnesCount32(c[2]^word), bits.OnesCount32(c[3]^word)
		if min(d0, d1, d2, d3) > k {
			continue
		}
		for i, d := range [4]int{d0, d1, d2, d3} {
			if d <= k {
				dst = append(dst, NearPair{row, uint32(from + i)})
			}
		}
	}
	for ; from < len(columns); from++ {
		if bits.OnesCount32(columns[from]^word) <= k {
			dst = append(dst, NearPair{row, uint32(from)})
		}
	}
	return dst
}
