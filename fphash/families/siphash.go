package families

import (
	"encoding/binary"
	"fmt"

	"github.com/dchest/siphash"

	"simhashkit/asm/hashing"
	"simhashkit/fphash"
	"simhashkit/fphash/internal/kernels"
)

const siphashKeyBytes = 16

var siphashFamily = fphash.Family{
	Name: "siphash", Bits: 64, KeyBytes: siphashKeyBytes,
	Verification: 0xb569980cdfd7e3cf,
	New: func(k fphash.Key) (fphash.Hash, error) {
		key := k.Bytes
		if key == nil {
			key = make([]byte, siphashKeyBytes)
		}
		if len(key) != siphashKeyBytes {
			return nil, fmt.Errorf("key of %d bytes, expected %d", len(key), siphashKeyBytes)
		}
		return siphash24{binary.LittleEndian.Uint64(key) + k.Seed, binary.LittleEndian.Uint64(key[8:])}, nil
	},
}

// siphash24 is SipHash-2-4 with a key whose halves are k0 and k1.
type siphash24 struct{ k0, k1 uint64 }

func (h siphash24) HashUint64s(dst, keys []uint64) {
	hashing.SipHash(dst, keys, &[2]uint64{h.k0, h.k1})
}

func (h siphash24) Kernel() (k kernels.Kernel, seed, second uint64) {
	return kernels.SipHash, h.k0, h.k1
}

func (h siphash24) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = siphash.Hash(h.k0, h.k1, data[start:end])
		start = end
	}
}
