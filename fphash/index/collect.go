package index

import (
	"errors"
	"fmt"
	"iter"

	"simhashkit/fphash"
)

// Collect returns the set of a stream of ids and fingerprints, which it copies. What they were made
// by, the set's Definition, is for the caller to say.
func Collect(width int, stream iter.Seq2[uint64, fphash.Fingerprint]) (*Set, error) {
	if stream == nil {
		return nil, errors.New("index: no stream of fingerprints, expected one")
	}
	set := &Set{Bits: width}
	for id, fingerprint := range stream {
		if len(fingerprint) != set.Stride() {
			return nil, fmt.Errorf("index: id %d: %d words, expected the %d of %d bits", id, len(fingerprint), set.Stride(), width)
		}
		set.Words, set.IDs = append(set.Words, fingerprint...), append(set.IDs, id)
	}
	return set, set.Check()
}
