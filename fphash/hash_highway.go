package fphash

import (
	"encoding/binary"

	"github.com/minio/highwayhash"
)

var (
	highway64Family  = highwayFamily("highway64", 64, 0x842e1620e8dd7a06)
	highway128Family = highwayFamily("highway128", 128, 0xf8e96f9161262fa0)
	highway256Family = highwayFamily("highway256", 256, 0x7574baa1ff3f61f6)
)

func highwayFamily(name string, bits int, verification uint64) Family {
	return Family{Name: name, Bits: bits, KeyBytes: highwayhash.Size, Verification: verification, New: func(k Key) (Hash, error) {
		key, err := k.material(highwayhash.Size)
		if err != nil {
			return nil, err
		}
		return &highway{[highwayhash.Size]byte(key), bits / 64}, nil
	}}
}

// highway is HighwayHash. The 64-bit value is a number; the longer ones are digests, whose bytes are read little-endian, in order.
type highway struct {
	key   [highwayhash.Size]byte
	words int
}

func (h *highway) HashUint64s(dst, keys []uint64) {
	n := len(keys)
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		h.put(dst, n, i, b[:])
	}
}

func (h *highway) HashKeys(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		h.put(dst, len(ends), i, data[start:end])
		start = end
	}
}

// put stores the code of key i of n.
func (h *highway) put(dst []uint64, n, i int, key []byte) {
	switch h.words {
	case 1:
		dst[i] = highwayhash.Sum64(key, h.key[:])
	case 2:
		digest := highwayhash.Sum128(key, h.key[:])
		putDigest(dst, n, i, digest[:])
	default:
		digest := highwayhash.Sum(key, h.key[:])
		putDigest(dst, n, i, digest[:])
	}
}
