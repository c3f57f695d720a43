package conventions

import (
	"errors"
	"reflect"

	"simhashkit/asm/accumulate"
	"simhashkit/asm/hashing"
	"simhashkit/fphash"
)

// γ of SplitMix64: what its state grows by from one output to the next.
const splitMix64Step = 0x9E3779B97F4A7C15

// appendGenerated appends the fingerprint of features that are seeds of generators: word t of it is
// voted on by output t of each.
func appendGenerated[F fphash.Feature](s *Sketcher, dst []uint64, features []F) ([]uint64, fphash.Status, error) {
	seeds, ok := any(features).([]uint64)
	if !ok && isBytes[F]() {
		return dst, fphash.NoInformation, s.wrap(errors.New("expected 64-bit hashes of the caller's, not byte strings"))
	}
	b := s.borrow()
	if !ok {
		b.seeds = b.seeds[:0]
		for _, feature := range features {
			b.seeds = append(b.seeds, reflect.ValueOf(feature).Uint())
		}
		seeds = b.seeds
	}
	if s.voted == 1 && len(seeds) <= countedChunk { // as below, in less time
		codes := b.codesFor(len(seeds))
		hashing.SplitMix64(codes, seeds, 0)
		v := votes{sketcher: s, dst: dst, status: fphash.NoInformation}
		v.append(0, accumulate.SketchUnit(codes))
		s.buffers.Put(b)
		dst, status := v.arranged(len(dst))
		return dst, status, nil
	}
	dst, status := s.appendCounted(b, dst, len(seeds), func(_ *buffers, codes []uint64, from, to int) { outputs(codes, seeds[from:to]) })
	s.buffers.Put(b)
	return dst, status, nil
}

// outputs stores the outputs of the generators with these seeds: output t of all of them behind
// output t-1.
func outputs(dst, seeds []uint64) {
	n := len(seeds)
	for t := 0; len(dst) > 0; t++ {
		if word := dst[:n]; t == 0 {
			hashing.SplitMix64(word, seeds, 0)
		} else {
			for i, seed := range seeds {
				word[i] = seed + uint64(t)*splitMix64Step
			}
			hashing.SplitMix64(word, word, 0)
		}
		if dst = dst[n:]; n == 0 {
			return
		}
	}
}
