package fphash

import (
	"github.com/cespare/xxhash/v2"

	"simhashkit/asm/hashing"
)

var xxh64Family = Family{
	Name: DefaultHash, Bits: 64, Seeded: true,
	New: func(k Key) (Hash, error) { return xxh64{k.Seed}, nil },
}

type xxh64 struct{ seed uint64 }

func (h xxh64) HashUint64s(dst, keys []uint64) { hashing.XXH64(dst, keys, h.seed) }

func (h xxh64) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = h.sum(data[start:end])
		start = end
	}
}

func (h xxh64) sum(key []byte) uint64 {
	if h.seed == 0 {
		return xxhash.Sum64(key)
	}
	var d xxhash.Digest // stays on the stack
	d.ResetWithSeed(h.seed)
	d.Write(key)
	return d.Sum64()
}
