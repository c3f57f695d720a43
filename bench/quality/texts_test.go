package quality

import (
	"slices"
	"testing"

	"simhashkit/fphash"
	_ "simhashkit/fphash/families"
)

// The code of an index is that of its feature, as dedup hashes it; of other indices it is the
// plain one; each seed is another function, also of a hash without seeds.
func TestOfTexts(t *testing.T) {
	features := map[uint64][]byte{7: []byte("seven"), 8: nil, 9: []byte("a feature of more than 16 bytes")}
	for _, family := range fphash.Families() {
		of, err := OfTexts(family, features)
		if (err != nil) != family.Integer {
			t.Errorf("%s: error %v", family.Name, err)
		}
		if err != nil {
			continue
		}
		plain, err := family.New(plainKey(family))
		if err != nil {
			t.Fatal(err)
		}
		words := family.Words()
		codesOf := func(seed uint64) []uint64 {
			key := plainKey(family)
			key.Seed = seed
			if family.KeyBytes > 0 {
				key = fphash.Key{Bytes: make([]byte, family.KeyBytes)}
				key.Bytes[0] = byte(seed)
			}
			hash, err := of.New(key)
			if err != nil {
				t.Fatal(err)
			}
			codes := make([]uint64, 4*words)
			hash.HashUint64s(codes, []uint64{9, 7, 1, 8})
			return codes
		}
		want := make([]uint64, 4*words)
		bytes, number := append(slices.Clone(features[9]), features[7]...), []byte{1, 0, 0, 0, 0, 0, 0, 0}
		first, second := len(features[9]), len(bytes)
		plain.(fphash.ByteHash).HashBytes(want, append(bytes, number...), []int{first, second, second + 8, second + 8})
		if got := codesOf(0); !slices.Equal(got, want) {
			t.Errorf("%s: codes %x, expected %x", family.Name, got, want)
		}
		if one, other := codesOf(1), codesOf(2); slices.Equal(one, want) || slices.Equal(one, other) {
			t.Errorf("%s: seeds 0, 1 and 2 make the same function of two", family.Name)
		}
	}
}

func plainKey(f fphash.Family) fphash.Key {
	if f.KeyBytes == 0 {
		return fphash.Key{}
	}
	return fphash.Key{Bytes: make([]byte, f.KeyBytes)}
}
