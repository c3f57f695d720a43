package advice

import (
	"cmp"
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

// GroupBy puts what has the same key together, in order of appearance.
func GroupBy[T any, K comparable](list []T, key func(T) K) (groups [][]T) {
	places := map[K]int{}
	for _, v := range list {
		i, ok := places[key(v)]
		if !ok {
			i = len(groups)
			places[key(v)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], v)
	}
	return groups
}

// ByNumber compares cells by the number that a key of their names has.
func ByNumber(key string) func(a, b Cell) int {
	return func(a, b Cell) int {
		x, _ := a.Number(key)
		y, _ := b.Number(key)
		return cmp.Compare(x, y)
	}
}
