package conventions

import (
	"encoding/binary"
	"testing"

	"github.com/dchest/siphash"
	"pgregory.net/rapid"
)

// SipHash of framed bytes is the library's, of a copy with what the framing adds.
func TestSipHashIsTheLibrarys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k0, k1 := rapid.Uint64().Draw(t, "k0"), rapid.Uint64().Draw(t, "k1")
		framing := Framing(rapid.IntRange(0, 2).Draw(t, "framing"))
		features := rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 300)).Draw(t, "features")
		var data []byte
		var ends []int
		for _, f := range features {
			data = append(data, f...)
			ends = append(ends, len(data))
		}
		narrow, wide := make([]uint64, len(ends)), make([]uint64, 2*len(ends))
		newSipHash(k0, k1, framing, false).HashBytes(narrow, data, ends)
		newSipHash(k0, k1, framing, true).HashBytes(wide, data, ends)
		for i, f := range features {
			framed := f
			switch framing {
			case RustString:
				framed = append(f[:len(f):len(f)], 0xff)
			case RustBytes:
				framed = append(binary.LittleEndian.AppendUint64(nil, uint64(len(f))), f...)
			}
			low, high := siphash.Hash128(k0, k1, framed)
			if want := siphash.Hash(k0, k1, framed); narrow[i] != want || wide[i] != low || wide[len(ends)+i] != high {
				t.Fatalf("%v of %x: %x and %x %x, expected %x and %x %x", framing, f, narrow[i], wide[i], wide[len(ends)+i], want, low, high)
			}
			if len(f) != 8 {
				continue
			}
			var one, two [2]uint64
			index := []uint64{binary.LittleEndian.Uint64(f)}
			newSipHash(k0, k1, framing, false).HashUint64s(one[:1], index)
			newSipHash(k0, k1, framing, true).HashUint64s(two[:], index)
			if one[0] != narrow[i] || two != [2]uint64{low, high} {
				t.Fatalf("%v of index %x: %x and %x, expected %x and %x %x", framing, f, one[0], two, narrow[i], low, high)
			}
		}
	})
}
