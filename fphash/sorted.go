package fphash

import (
	"maps"
	"slices"
)

// Sorted returns the features of a map in ascending order, and their weights beside them. Maps have
// no order, but sums of floating-point weights do: in ascending order they give fingerprints that
// others can reproduce. Cost: two slices, and sorting.
func Sorted[M ~map[F]W, F ~uint32 | ~uint64 | ~string, W Weight](m M) (features []F, weights []W) {
	features = slices.Sorted(maps.Keys(m))
	weights = make([]W, len(features))
	for i, f := range features {
		weights[i] = m[f]
	}
	return features, weights
}
