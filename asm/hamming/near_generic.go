package hamming

import "math/bits"

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

// appendColumnsGeneric appends the pairs of a row with the columns from from on.
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
