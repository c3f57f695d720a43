package quality

import (
	"encoding/binary"
	"math"
	"slices"

	"simhashkit/internal/bench/terms"
)

const (
	leastKeys = 64  // needed to test bits: with fewer, an ideal bit may be constant by chance
	manyBits  = 256 // codes wider than this are tested on fewKeys keys
	fewKeys   = 1024
)

// testKeyings returns the number of keyings that together have enough keys to test bits.
func testKeyings(keys int) int {
	if keys >= leastKeys || keys < 2 {
		return 1
	}
	return (leastKeys + keys - 2) / (keys - 1)
}

// columnsOf turns the codes of the tested keyings into one bit set for each bit of the code.
//
// If relative is set, every code of a keying except the first is XORed with the first code. So bits
// that are constant or copied in each keying are also constant or copied in these columns, whatever
// value the seed gives them.
func columnsOf(o *observation, keys int, relative bool) (columns [][]uint64, n int) {
	words := wordsOf(o.bits)
	from := 0
	if relative {
		from = 1
	}
	keyings := len(o.first) / (keys * words)
	n = keyings * (keys - from)
	if o.bits > manyBits {
		n = min(n, fewKeys)
	}
	columns = make([][]uint64, o.bits)
	for j := range columns {
		columns[j] = make([]uint64, wordsOf(n))
		at := 0
		for k := range keyings {
			codes := o.first[(k*words+j/64)*keys:][:keys]
			origin := uint64(0)
			if relative {
				origin = codes[0]
			}
			for _, code := range codes[from:] {
				if at == n {
					break
				}
				columns[j][at/64] |= (code ^ origin) >> (uint(j) % 64) & 1 << (uint(at) % 64)
				at++
			}
		}
	}
	return columns, n
}

// deadBits returns which bits are constant in at least half of the keyings, or in all tested ones.
func deadBits(o *observation, relative [][]uint64, keys, keyings int) []bool {
	dead := make([]bool, o.bits)
	for j := range dead {
		if keys < leastKeys {
			dead[j] = !slices.ContainsFunc(relative[j], func(word uint64) bool { return word != 0 })
		} else {
			dead[j] = 2*int(o.constant[j]) >= keyings
		}
	}
	return dead
}

// testBits searches for bits that are constant, copies or complements.
func (q *BitQuality) testBits(o *observation, indices, keyings int) {
	relative := indices < leastKeys
	columns, keys := columnsOf(o, indices, relative)
	if keys < leastKeys {
		return
	}
	q.Tested = true
	dead := deadBits(o, columns, indices, keyings)
	for j, column := range columns {
		if dead[j] {
			q.Constant = append(q.Constant, j)
			continue
		}
		complement := make([]uint64, len(column))
		for t, word := range column {
			complement[t] = ^word
		}
		if extra := -uint(keys) % 64; extra > 0 {
			complement[len(complement)-1] &= ^uint64(0) >> extra
		}
		for i, other := range columns[:j] {
			// Relative to the first code, complements are equal, too.
			if !dead[i] && (slices.Equal(column, other) || !relative && slices.Equal(complement, other)) {
				q.Copied = append(q.Copied, j)
				break
			}
		}
	}
}

// tooFewCodes returns the number of different codes of n keys, in the layout of Codes, if ideal
// codes would have clearly more. Otherwise, or with too few keys, it returns 0.
func tooFewCodes(codes []uint64, n, width int) int {
	if n < leastKeys {
		return 0
	}
	different := map[string]bool{}
	var code []byte
	for i := range n {
		code = code[:0]
		for at := i; at < len(codes); at += n {
			code = binary.LittleEndian.AppendUint64(code, codes[at])
		}
		different[string(code)] = true
	}
	all := math.Exp2(float64(width))
	expected := -all * math.Expm1(float64(n)*math.Log1p(-1/all))
	if width > 50 { // beyond the precision of the formula
		expected = float64(n)
	}
	if float64(len(different)) < terms.GoodPart*expected {
		return len(different)
	}
	return 0
}
