package fphash

import (
	"bufio"
	"iter"
	"maps"
	"reflect"
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

// AddSeq adds what the sequence yields, in order. It fails where Add does.
func AddSeq[F Feature, W Weight](a *Accumulator[W], seq iter.Seq2[F, W]) error {
	if err := a.use().checkFeatures(kindOf[F]()); err != nil {
		return err
	}
	for feature, weight := range seq {
		if err := Add(a, weight, feature); err != nil {
			return err
		}
	}
	return nil
}

// AddTokens adds what the scanner finds, each with weight 1: words, with bufio.ScanWords. It fails
// where Add does, with nothing read, and where the scanner does, with the tokens before that added.
func AddTokens[W Weight](a *Accumulator[W], tokens *bufio.Scanner) error {
	if err := a.use().checkFeatures(reflect.Slice); err != nil {
		return err
	}
	for tokens.Scan() {
		if err := Add(a, 1, tokens.Bytes()); err != nil {
			return err
		}
	}
	return tokens.Err()
}
