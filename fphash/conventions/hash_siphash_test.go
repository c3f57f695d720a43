package conventions

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/dchest/siphash"
	"pgregory.net/rapid"
)

// Codes equal those of the library for copies with the bytes of the framing. The fingerprint of a
// single feature is its inverted code.
func TestFramedSipHash(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "key")
		k0, k1 := binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:])
		feature := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "feature")
		for name, framed := range map[string][]byte{
			"gaoya-":       append(feature[:len(feature):len(feature)], 0xff),
			"gaoya-bytes-": append(binary.LittleEndian.AppendUint64(nil, uint64(len(feature))), feature...),
		} {
			low, high := siphash.Hash128(k0, k1, framed)
			for bits, want := range map[string][]uint64{"64": {^siphash.Hash(k0, k1, framed)}, "128": {^low, ^high}} {
				s, err := New(with(t, name+bits, func(c *Convention) { c.Key = key }))
				if err != nil {
					t.Fatal(err)
				}
				if got, _, err := AppendUnit(s, nil, [][]byte{feature}); err != nil || !slices.Equal(got, want) {
					t.Fatalf("%s%s of %x: %x, %v, expected %x", name, bits, feature, got, err, want)
				}
			}
		}
		plain, err := New(with(t, "gaoya-128", func(c *Convention) { c.Key, c.Framing, c.Inverted = key, plainFraming, false }))
		if err != nil {
			t.Fatal(err)
		}
		low, high := siphash.Hash128(k0, k1, feature)
		for _, same := range []any{[][]byte{feature}, []uint64{binary.LittleEndian.Uint64(append(feature, make([]byte, 8)...))}} {
			var got []uint64
			switch f := same.(type) {
			case [][]byte:
				got, _, err = AppendUnit(plain, nil, f)
			case []uint64:
				if len(feature) != 8 {
					continue
				}
				got, _, err = AppendUnit(plain, nil, f)
			}
			if err != nil || !slices.Equal(got, []uint64{low, high}) {
				t.Fatalf("%v: %x, %v, expected %x %x", same, got, err, low, high)
			}
		}
	})
}
