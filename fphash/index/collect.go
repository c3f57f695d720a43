package index

import (
	"fmt"
	"iter"

	"simhashkit/fphash"
)

// Collect returns the set of a stream of ids and fingerprints, which it copies.
func Collect(width int, stream iter.Seq2[uint64, fphash.Fingerprint]) (*Set, error) {
	set := &Set{Bits: width}
	for id, fingerprint := range stream {
		if len(fingerprint) != set.Stride() {
			return nil, fmt.Errorf("index: id %d: %d words, expected the %d of %d bits", id, len(fingerprint), set.Stride(), width)
		}
		set.Words, set.IDs = append(set.Words, fingerprint...), append(set.IDs, id)
	}
	return set, set.Check()
}
