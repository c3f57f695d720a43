package conventions

import (
	"slices"

	"simhashkit/asm/accumulate"
	"simhashkit/fphash"
)

// countedChunk is how many codes are made at a time, so that they are in the L1 cache when they are
// counted.
const countedChunk = 512

// oddBits has the bits of a word with odd numbers.
const oddBits = 0xAAAAAAAAAAAAAAAA

var tieWords = [...]uint64{fphash.TieZero: 0, fphash.TieOne: ^uint64(0), fphash.TieAlternate: oddBits}

// coder makes the codes of the features from from to to. Word t of the code of feature from+i goes
// to dst[t·(to-from)+i].
type coder func(b *buffers, dst []uint64, from, to int)

// appendCounted appends the fingerprint of n features that count once each, with codes that package
// fphash cannot make.
func (s *Sketcher) appendCounted(b *buffers, dst []uint64, n int, code coder) ([]uint64, fphash.Status) {
	codes := b.codesFor(s.voted * min(n, countedChunk))
	v := votes{sketcher: s, dst: dst, status: fphash.NoInformation}
	if n <= countedChunk {
		code(b, codes, 0, n)
		for t := range s.voted {
			v.append(t, accumulate.SketchUnit(codes[t*n:(t+1)*n]))
		}
		return v.arranged(len(dst))
	}
	b.sums = slices.Grow(b.sums[:0], s.voted)[:s.voted]
	clear(b.sums)
	for from := 0; from < n; from += countedChunk {
		size := min(n-from, countedChunk)
		code(b, codes[:s.voted*size], from, from+size)
		for t := range s.voted {
			accumulate.AddUnit(&b.sums[t], codes[t*size:(t+1)*size])
		}
	}
	for t := range s.voted {
		v.append(t, accumulate.SignsI64(&b.sums[t]))
	}
	return v.arranged(len(dst))
}

// codesFor returns memory for that many words of codes.
func (b *buffers) codesFor(words int) []uint64 {
	if cap(b.codes) < words {
		b.codes = make([]uint64, words)
	}
	return b.codes[:words]
}

// votes become a fingerprint word by word.
type votes struct {
	sketcher *Sketcher
	dst      []uint64
	status   fphash.Status
}

// append appends word t of the votes.
func (v *votes) append(t int, signs accumulate.Signs) {
	used := ^uint64(0)
	if left := v.sketcher.convention.Bits - 64*t; left < 64 {
		used >>= 64 - left
	}
	if signs.Zero&used != used {
		v.status = fphash.Informative
	}
	v.dst = append(v.dst, v.sketcher.countedWord(signs)&used)
}

// arranged returns the fingerprint that begins at an index.
func (v *votes) arranged(at int) ([]uint64, fphash.Status) {
	if v.sketcher.arranges {
		v.sketcher.arrange(v.dst[at:])
	}
	return v.dst[:at+v.sketcher.words], v.status
}

// countedWord returns a word of the votes, before it is inverted.
func (s *Sketcher) countedWord(signs accumulate.Signs) uint64 {
	ties := tieWords[s.convention.Tie]
	if s.convention.Inverted {
		ties = ^ties
	}
	if !s.transposes {
		return signs.Positive | signs.Zero&ties
	}
	word := transpose(signs.Positive)
	if signs.Zero != 0 {
		word |= transpose(signs.Zero) & ties
	}
	return word
}

// transpose moves bit 8·g+j to bit 8·j+g: it transposes a square of 8 by 8 bits.
func transpose(x uint64) uint64 {
	y := (x ^ x>>7) & 0x00AA00AA00AA00AA
	x ^= y ^ y<<7
	y = (x ^ x>>14) & 0x0000CCCC0000CCCC
	x ^= y ^ y<<14
	y = (x ^ x>>28) & 0x00000000F0F0F0F0
	return x ^ y ^ y<<28
}
