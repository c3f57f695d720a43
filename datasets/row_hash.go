package datasets

import (
	"encoding/binary"
	"hash/maphash"
	"math"
)

// rowHash hashes rows to 128 bits, by a key that is drawn anew for each of it.
type rowHash struct {
	low, high maphash.Seed
	bytes     []byte // of a row
}

func newRowHash() rowHash { return rowHash{low: maphash.MakeSeed(), high: maphash.MakeSeed()} }

// hashOf returns the hash of a row, which is equal for equal rows: those of the same numbers in the
// same order, where 0 and -0 are one number.
func hashOf[W Weight](h *rowHash, indices []uint64, weights []W) [2]uint64 {
	h.bytes = h.bytes[:0]
	for _, index := range indices {
		h.bytes = binary.LittleEndian.AppendUint64(h.bytes, index)
	}
	for _, w := range weights {
		h.bytes = binary.LittleEndian.AppendUint64(h.bytes, math.Float64bits(float64(w)+0)) // + 0: no -0
	}
	return [2]uint64{maphash.Bytes(h.low, h.bytes), maphash.Bytes(h.high, h.bytes)}
}
