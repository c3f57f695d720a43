package libraries

import (
	"encoding/binary"
	"math"

	"github.com/spaolacci/murmur3"

	"simhashkit/fphash"
)

// murmur3x64 calls the library where that gives the function: not beyond 32 bits of seed, nor with
// byte strings on big-endian machines.
type murmur3x64 struct {
	own  fphash.ByteHash
	seed uint64
}

func newMurmur3(own fphash.ByteHash, k fphash.Key) fphash.Hash { return murmur3x64{own, k.Seed} }

// bigEndian says that the machine stores the most significant byte first.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

func (h murmur3x64) HashUint64s(dst, keys []uint64) {
	if h.seed > math.MaxUint32 {
		h.own.HashUint64s(dst, keys)
		return
	}
	n := len(keys)
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i], dst[n+i] = murmur3.Sum128WithSeed(b[:], uint32(h.seed))
	}
}

func (h murmur3x64) HashBytes(dst []uint64, data []byte, ends []int) {
	if h.seed > math.MaxUint32 || bigEndian {
		h.own.HashBytes(dst, data, ends)
		return
	}
	n, start := len(ends), 0
	for i, end := range ends {
		dst[i], dst[n+i] = murmur3.Sum128WithSeed(data[start:end], uint32(h.seed))
		start = end
	}
}
