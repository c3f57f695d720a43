package conventions

import (
	"encoding/binary"
	"fmt"

	"github.com/dchest/siphash"

	"simhashkit/fphash"
)

// sipHash64 is the name that package families gives SipHash-2-4.
const sipHash64 = "siphash"

const sipHashKeyBytes = 16

// sipHash is SipHash-2-4 of 64 or 128 bits under the key whose halves are k0 and k1.
type sipHash struct {
	k0, k1 uint64
	wide   bool
}

// newSipHash returns the function that a key selects.
func newSipHash(key []byte, wide bool) (h sipHash, err error) {
	if key == nil {
		key = make([]byte, sipHashKeyBytes)
	}
	if len(key) != sipHashKeyBytes {
		return h, fmt.Errorf("key of %d bytes, expected %d", len(key), sipHashKeyBytes)
	}
	return sipHash{binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:]), wide}, nil
}

func (h sipHash) HashBytes(dst []uint64, data []byte, ends []int) {
	n, start := len(ends), 0
	if h.wide {
		for i, end := range ends {
			dst[i], dst[n+i] = siphash.Hash128(h.k0, h.k1, data[start:end])
			start = end
		}
		return
	}
	for i, end := range ends {
		dst[i] = siphash.Hash(h.k0, h.k1, data[start:end])
		start = end
	}
}

func (h sipHash) HashUint64s(dst, integers []uint64) {
	var b [8]byte
	end := [1]int{len(b)}
	n := len(integers)
	var code [2]uint64
	for i, k := range integers {
		binary.LittleEndian.PutUint64(b[:], k)
		h.HashBytes(code[:], b[:], end[:])
		if dst[i] = code[0]; h.wide {
			dst[n+i] = code[1]
		}
	}
}

// appendFramed appends the fingerprint of features that are framed before they are hashed. They are
// copied once, with what is added: that is done here, since package fphash would copy them too.
func appendFramed[F fphash.Feature](s *Sketcher, dst []uint64, features []F) ([]uint64, fphash.Status, error) {
	b := s.borrow()
	dst, status := s.appendCounted(b, dst, len(features), func(b *buffers, codes []uint64, from, to int) {
		b.text, b.ends = b.text[:0], b.ends[:0]
		addText(b, s.convention, features[from:to])
		s.sip.HashBytes(codes, b.text, b.ends)
	})
	if cap(b.text) > keptText {
		b.text = nil
	}
	s.buffers.Put(b)
	return dst, status, nil
}

// keptText is the greatest room for byte strings, in bytes, that is kept for the next call.
const keptText = 1 << 20
