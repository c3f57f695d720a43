package blocks

import (
	"iter"

	"simhashkit/fphash/index/join"
)

// leastRest is how many bits of each block the rest of a fingerprint must have to be split by, and
// what package join asks for on disk.
const leastRest = 4

// External returns a join for a block that is more than memory is to hold: it finds all pairs
// within k of the source's fingerprints, which have the same key in that table, by their other
// bits. Pairs that a table before reports are among them: Near tells which.
func (t *Tables) External(table int, source func() iter.Seq2[join.Record, error]) *join.External {
	mask := make([]uint64, len(t.masks[table]))
	for i, word := range t.masks[table] {
		mask[i] = ^word
	}
	if t.bits%64 != 0 {
		mask[len(mask)-1] &= 1<<(t.bits%64) - 1
	}
	rest := newExtract(mask)
	if rest.bits/(t.k+1) < leastRest {
		return &join.External{Bits: t.bits, K: t.k, Source: source}
	}
	return &join.External{Bits: rest.bits, K: t.k, Source: func() iter.Seq2[join.Record, error] {
		return func(yield func(join.Record, error) bool) {
			words := make([]uint64, rest.words())
			for r, err := range source() {
				if err == nil {
					clear(words)
					rest.fill(words, r.Words)
					r.Words = words
				}
				if !yield(r, err) {
					return
				}
			}
		}
	}}
}
