package blocks

import (
	"bytes"
	"cmp"
)

// Less is the order of ids in which pairs are written, the smaller one first, so that a pair is the
// same text wherever it was found: numbers by their value, and all others behind them by their
// bytes. A number is decimal digits, of which the first is 0 only where it is alone.
func Less(a, b []byte) bool {
	x, y := isNumber(a), isNumber(b)
	switch {
	case x != y:
		return x
	case x:
		return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b)) < 0
	}
	return bytes.Compare(a, b) < 0
}

func isNumber(id []byte) bool {
	for _, c := range id {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(id) == 1 || len(id) > 1 && id[0] != '0'
}
