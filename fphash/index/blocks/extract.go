package blocks

import "math/bits"

// extract takes the bits of a mask out of fingerprints and puts them side by side, the lowest
// first.
type extract struct {
	pieces []piece
	bits   int // taken
}

// piece is bits of one word that stay together.
type piece struct {
	word        int // of the fingerprint
	shift, mask uint64
	at, width   uint64 // where they go
}

func newExtract(mask []uint64) extract {
	var x extract
	for i, word := range mask {
		for word != 0 {
			from := bits.TrailingZeros64(word)
			width := bits.TrailingZeros64(^(word >> from))
			x.pieces = append(x.pieces, piece{i, uint64(from), 1<<width - 1, uint64(x.bits), uint64(width)})
			x.bits += width
			word &^= (1<<width - 1) << from
		}
	}
	return x
}

// words returns how many words the bits take.
func (x *extract) words() int { return (x.bits + 63) / 64 }

// fill puts the bits of a fingerprint into dst, which has x.words zeros.
func (x *extract) fill(dst, fingerprint []uint64) {
	for i := range x.pieces {
		p := &x.pieces[i]
		piece := fingerprint[p.word] >> p.shift & p.mask
		dst[p.at/64] |= piece << (p.at % 64)
		if p.at%64+p.width > 64 {
			dst[p.at/64+1] |= piece >> (64 - p.at%64)
		}
	}
}
