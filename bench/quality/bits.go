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

// testBits searches for bits that are constant in at least half of the keyings, or in all tested
// ones if these have few keys, and for copies and complements.
//
// Every code of a keying except the first is XORed with the first code. So bits that are constant
// or copied in each keying are so in all of them together, whatever value the seed gives them, and
// complements are equal.
func (q *BitQuality) testBits(o *observation, keys, keyings int) {
	words := wordsOf(o.bits)
	tested := len(o.first) / (keys * words)
	n := tested * (keys - 1)
	if n < leastKeys-1 {
		return
	}
	if o.bits > manyBits {
		n = min(n, fewKeys)
	}
	q.Tested = true
	known := map[string]bool{}
	for j := range o.bits {
		column := make([]byte, 0, tested*keys)
		for k := range tested {
			codes := o.first[(k*words+j/64)*keys:][:keys]
			for _, code := range codes[1:] {
				column = append(column, byte((code^codes[0])>>(j%64)&1))
			}
		}
		column = column[:n]
		constant := 2*int(o.constant[j]) >= keyings
		if keys < leastKeys {
			constant = !slices.Contains(column, 1)
		}
		switch {
		case constant:
			q.Constant = append(q.Constant, j)
		case known[string(column)]:
			q.Copied = append(q.Copied, j)
		default:
			known[string(column)] = true
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
