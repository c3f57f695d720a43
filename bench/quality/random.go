package quality

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// purpose keeps the streams apart that are drawn for different things from the same seed.
type purpose uint64

const (
	forVectors purpose = iota + 1
	forIndices
	forSeeds
	forIdeal
	forPairs
	forResampling
	forNeighbours
	forSigns
	forEdits
)

// random is a stream of ChaCha8. The methods give the same numbers on machines of any word size,
// which those of rand.Rand do not promise.
type random struct{ *rand.ChaCha8 }

// newRandom returns the stream that belongs to the seed, the purpose and the number, such as that
// of the keying.
func newRandom(seed uint64, p purpose, number uint64) random {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], uint64(p))
	binary.LittleEndian.PutUint64(key[16:], number)
	copy(key[24:], "quality")
	return random{rand.NewChaCha8(key)}
}

// below returns a number in [0, n); its bias is below n/2^64.
func (r random) below(n uint64) uint64 {
	high, _ := bits.Mul64(r.Uint64(), n)
	return high
}

// fill stores random words.
func (r random) fill(dst []uint64) {
	for i := range dst {
		dst[i] = r.Uint64()
	}
}

func shuffle[T any](r random, s []T) {
	for i := len(s) - 1; i > 0; i-- {
		j := r.below(uint64(i + 1))
		s[i], s[j] = s[j], s[i]
	}
}
