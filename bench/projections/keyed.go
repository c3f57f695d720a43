package projections

import (
	"encoding/binary"
	"math/rand/v2"
)

// keyed returns the source of random bits of a keying: ChaCha8, so that no pattern of a lesser
// generator meets one of a hash. Methods take different streams, since the same bits in two of them
// would make their errors alike.
func keyed(stream string, keying uint64) *rand.ChaCha8 {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], keying)
	copy(key[8:], stream)
	return rand.NewChaCha8(key)
}
