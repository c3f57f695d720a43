package quality

import (
	"fmt"
	"slices"
	"strings"
)

// EmptyBits returns the bits that carry nothing of their own, in ascending order: those that are
// constant, and those that are copies or complements of lower ones.
func (q *BitQuality) EmptyBits() []int {
	return slices.Sorted(slices.Values(slices.Concat(q.Constant, q.Copied)))
}

// BitRanges lists bits, which ascend, with three or more in a row as a range: "3, 5, 6, 32–63". Of
// many it lists the first ranges.
func BitRanges(bits []int) string {
	const shown = 6
	var list []string
	for len(bits) > 0 {
		if len(list) == shown {
			return strings.Join(list, ", ") + " ..."
		}
		n := 1
		for n < len(bits) && bits[n] == bits[0]+n {
			n++
		}
		if n < 3 {
			list, bits = append(list, fmt.Sprint(bits[0])), bits[1:]
			continue
		}
		list, bits = append(list, fmt.Sprintf("%d–%d", bits[0], bits[n-1])), bits[n:]
	}
	return strings.Join(list, ", ")
}
