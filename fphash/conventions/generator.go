package conventions

import (
	"simhashkit/asm/accumulate"
	"simhashkit/asm/hashing"
	"simhashkit/fphash"
)

const (
	// γ of SplitMix64: what its state grows by from one output to the next.
	splitMix64Step = 0x9E3779B97F4A7C15
	// How many codes are made at a time: they are still in the L1 cache when they are counted.
	generatorChunk = 512
	// The components of a word whose number is odd.
	oddBits = 0xAAAAAAAAAAAAAAAA
)

// appendGenerated appends the fingerprint of features that are seeds of generators: word t of it is
// voted on by output t of each.
func (s *Sketcher) appendGenerated(dst, seeds []uint64) ([]uint64, fphash.Status) {
	codes, _ := s.codes.Get().(*[generatorChunk]uint64)
	if codes == nil {
		codes = new([generatorChunk]uint64)
	}
	at, status := len(dst), fphash.NoInformation
	for t := range (s.convention.Bits + 63) / 64 {
		signs := countOutputs(codes, seeds, t)
		if s.transposes {
			signs.Positive, signs.Zero = transpose(signs.Positive), transpose(signs.Zero)
		}
		used := ^uint64(0)
		if left := s.convention.Bits - 64*t; left < 64 {
			used >>= 64 - left
		}
		if signs.Zero&used != used {
			status = fphash.Informative
		}
		dst = append(dst, (signs.Positive|signs.Zero&tieWords[s.convention.Tie])&used)
	}
	s.codes.Put(codes)
	return dst[:at+len(s.arrange(dst[at:]))], status
}

var tieWords = [...]uint64{fphash.TieZero: 0, fphash.TieOne: ^uint64(0), fphash.TieAlternate: oddBits}

// countOutputs returns the signs of the votes of output t, counted from 0, of all generators.
func countOutputs(codes *[generatorChunk]uint64, seeds []uint64, t int) accumulate.Signs {
	if len(seeds) <= generatorChunk {
		return accumulate.SketchUnit(nthOutputs(codes, seeds, t))
	}
	var sums [64]int64
	for len(seeds) > 0 {
		n := min(len(seeds), generatorChunk)
		accumulate.AddUnit(&sums, nthOutputs(codes, seeds[:n], t))
		seeds = seeds[n:]
	}
	return accumulate.SignsI64(&sums)
}

// nthOutputs returns output t of the generators with these seeds, at most a chunk of them.
func nthOutputs(codes *[generatorChunk]uint64, seeds []uint64, t int) []uint64 {
	outputs := codes[:len(seeds)]
	if t == 0 {
		hashing.SplitMix64(outputs, seeds, 0)
		return outputs
	}
	for i, seed := range seeds {
		outputs[i] = seed + uint64(t)*splitMix64Step
	}
	hashing.SplitMix64(outputs, outputs, 0)
	return outputs
}

// transpose makes bit 8·j+g of bit 8·g+j: the word is a square of 8 by 8 bits.
func transpose(x uint64) uint64 {
	swap := func(by int, mask uint64) {
		difference := (x ^ x>>by) & mask
		x ^= difference ^ difference<<by
	}
	swap(7, 0x00AA00AA00AA00AA)
	swap(14, 0x0000CCCC0000CCCC)
	swap(28, 0x00000000F0F0F0F0)
	return x
}
