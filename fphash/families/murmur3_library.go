package families

import (
	"encoding/binary"
	"math"

	"github.com/spaolacci/murmur3"
)

// murmur3Library hashes one key after the other by the library's call, where that gives the
// function: not beyond 32 bits of seed and, with keys of a whole block, not on big-endian machines.
type murmur3Library struct{ own murmur3x64 }

// bigEndian says that the machine stores the most significant byte first.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

func (h murmur3Library) HashUint64s(dst, keys []uint64) {
	n := len(keys)
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i], dst[n+i] = h.sum(b[:])
	}
}

func (h murmur3Library) HashKeys(dst []uint64, data []byte, ends []int) {
	n, start := len(ends), 0
	for i, end := range ends {
		dst[i], dst[n+i] = h.sum(data[start:end])
		start = end
	}
}

func (h murmur3Library) sum(key []byte) (h1, h2 uint64) {
	if h.own.seed > math.MaxUint32 || bigEndian && len(key) >= 16 {
		return h.own.sum(key)
	}
	return murmur3.Sum128WithSeed(key, uint32(h.own.seed))
}
