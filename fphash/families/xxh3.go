package families

import (
	"github.com/zeebo/xxh3"

	"simhashkit/asm/hashing"
	"simhashkit/fphash"
	"simhashkit/fphash/internal/kernels"
)

var xxh3Family = fphash.Family{
	Name: "xxh3", Bits: 64, Seeded: true,
	Verification: 0x2ea479ef1336527c,
	New:          func(k fphash.Key) (fphash.Hash, error) { return xxh3Hash{k.Seed}, nil },
}

type xxh3Hash struct{ seed uint64 }

func (h xxh3Hash) HashUint64s(dst, keys []uint64) { hashing.XXH3(dst, keys, h.seed) }

func (h xxh3Hash) Kernel() (k kernels.Kernel, seed, second uint64) { return kernels.XXH3, h.seed, 0 }

func (h xxh3Hash) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = xxh3.HashSeed(data[start:end], h.seed)
		start = end
	}
}
