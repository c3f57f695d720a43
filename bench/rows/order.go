package rows

import (
	"slices"
	"strings"

	"simhashkit/bench/terms"
)

// CompareValues orders the values of a key: numbers by size, the encodings as documents list them,
// everything else as text.
func CompareValues(a, b string) int {
	if i, j := slices.Index(encodings, a), slices.Index(encodings, b); i >= 0 && j >= 0 {
		return i - j
	}
	// A shorter number is a smaller one.
	if digits(a) && digits(b) && len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

var encodings = []string{terms.LE64, terms.BE64, terms.Dec}

func digits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}
