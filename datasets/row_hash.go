package datasets

import (
	"encoding/binary"
	"hash/maphash"
	"math"
)

// rowHash hashes rows to 128 bits, by a key that is drawn anew for each of it.
type rowHash struct {
	low, high maphash.Hash
	bytes     []byte
}

func newRowHash() (h rowHash) {
	h.low.SetSeed(maphash.MakeSeed())
	h.high.SetSeed(maphash.MakeSeed())
	return h
}

// hashOf returns the hash of a row, which is equal for equal rows: those of the same numbers in the
// same order, where 0 and -0 are one number.
func hashOf[W Weight](h *rowHash, indices []uint64, weights []W) value {
	h.low.Reset()
	h.high.Reset()
	for _, index := range indices {
		h.put(index)
	}
	for _, w := range weights {
		h.put(math.Float64bits(float64(w) + 0)) // + 0: no -0
	}
	h.pass()
	return value{h.low.Sum64(), h.high.Sum64()}
}

// put takes one more number.
func (h *rowHash) put(x uint64) {
	if h.bytes = binary.LittleEndian.AppendUint64(h.bytes, x); len(h.bytes) >= 1024 {
		h.pass()
	}
}

// pass passes on what was put.
func (h *rowHash) pass() {
	h.low.Write(h.bytes)
	h.high.Write(h.bytes)
	h.bytes = h.bytes[:0]
}
