package conventions

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/dchest/siphash"

	"simhashkit/fphash"
)

// sipHash64 is the name that package families gives SipHash-2-4.
const sipHash64 = "siphash"

const sipHashKeyBytes = 16

// sipFamily is SipHash-2-4 of 64 or 128 bits, of bytes to which a framing is added.
func sipFamily(name string, framing Framing) fphash.Family {
	f := fphash.Family{Name: name, Bits: 64, KeyBytes: sipHashKeyBytes}
	if name == sipHash128 {
		f.Bits = 128
	}
	f.New = func(k fphash.Key) (fphash.Hash, error) {
		key := k.Bytes
		if key == nil {
			key = make([]byte, sipHashKeyBytes)
		}
		if len(key) != sipHashKeyBytes {
			return nil, fmt.Errorf("key of %d bytes, expected %d", len(key), sipHashKeyBytes)
		}
		return newSipHash(binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:]), framing, f.Bits == 128), nil
	}
	return f
}

// sipHash is SipHash-2-4 under the key whose halves are k0 and k1.
type sipHash struct {
	k0, k1  uint64
	framing Framing
	wide    bool
	scratch *sync.Pool // of *framedFeatures
}

func newSipHash(k0, k1 uint64, framing Framing, wide bool) sipHash {
	return sipHash{k0, k1, framing, wide, &sync.Pool{New: func() any { return new(framedFeatures) }}}
}

// framedFeatures are features one behind the other, with what is added to each. All are copied
// before the first is hashed: a processor waits where bytes are read as words that it has only just
// written.
type framedFeatures struct {
	data []byte
	ends []int
}

// keptFrames is the greatest room for framed features, in bytes, that is kept for the next call.
const keptFrames = 1 << 20

// mostAdded is the most that a framing adds to a feature.
const mostAdded = 8

func (h sipHash) HashBytes(dst []uint64, data []byte, ends []int) {
	if h.framing == Plain {
		h.hash(dst, data, ends)
		return
	}
	f := h.scratch.Get().(*framedFeatures)
	f.data = slices.Grow(f.data[:0], len(data)+mostAdded*len(ends))
	f.ends = slices.Grow(f.ends[:0], len(ends))[:len(ends)]
	framed, start, at := f.data[:cap(f.data)], 0, 0
	for i, end := range ends {
		if h.framing == RustBytes {
			binary.LittleEndian.PutUint64(framed[at:], uint64(end-start))
			at += 8
		}
		at += copy(framed[at:], data[start:end])
		if h.framing == RustString {
			framed[at] = 0xff
			at++
		}
		f.ends[i], start = at, end
	}
	h.hash(dst, framed[:at], f.ends)
	if cap(f.data) <= keptFrames {
		h.scratch.Put(f)
	}
}

func (h sipHash) HashUint64s(dst, integers []uint64) {
	f := h.scratch.Get().(*framedFeatures)
	f.data, f.ends = f.data[:0], f.ends[:0]
	for _, k := range integers {
		f.data = binary.LittleEndian.AppendUint64(f.data, k)
		f.ends = append(f.ends, len(f.data))
	}
	h.HashBytes(dst, f.data, f.ends)
	h.scratch.Put(f)
}

// hash hashes features that are framed.
func (h sipHash) hash(dst []uint64, data []byte, ends []int) {
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
