package families

import (
	"encoding/binary"

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

var xxh3x128Family = fphash.Family{
	Name: "xxh3-128", Bits: 128, Seeded: true,
	Verification: 0xbe56743381dd2274,
	New:          func(k fphash.Key) (fphash.Hash, error) { return xxh3x128{k.Seed}, nil },
}

// xxh3x128 is XXH3 with 128 bits, the lower half first.
type xxh3x128 struct{ seed uint64 }

func (h xxh3x128) HashUint64s(dst, keys []uint64) {
	lows, highs := dst[:len(keys)], dst[len(keys):2*len(keys)]
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		sum := xxh3.Hash128Seed(b[:], h.seed)
		lows[i], highs[i] = sum.Lo, sum.Hi
	}
}

func (h xxh3x128) HashBytes(dst []uint64, data []byte, ends []int) {
	n, start := len(ends), 0
	lows, highs := dst[:n], dst[n:2*n]
	for i, end := range ends {
		sum := xxh3.Hash128Seed(data[start:end], h.seed)
		lows[i], highs[i] = sum.Lo, sum.Hi
		start = end
	}
}
