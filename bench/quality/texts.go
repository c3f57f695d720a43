package quality

import (
	"encoding/binary"
	"fmt"

	"simhashkit/fphash"
)

// OfTexts returns a family as texts use it: the code of an index is that of the feature, a byte
// string, for which it stands; of any other index it is that of its 8 bytes.
//
// A hash without seeds is given some, so that there are keyings of it: seed 0 is the hash, and
// others are 8 bytes before each feature, an index map that keeps what features have in common. It
// is an error if the hash takes no byte strings.
func OfTexts(family fphash.Family, features map[uint64][]byte) (fphash.Family, error) {
	if family.Integer {
		return family, fmt.Errorf("quality: hash %s takes integers alone; features of texts are byte strings", family.Name)
	}
	plain, keyed := family.New, family.Seeded || family.KeyBytes > 0
	family.Seeded = family.KeyBytes == 0
	family.New = func(key fphash.Key) (fphash.Hash, error) {
		h := textHash{features: features}
		if !keyed && key.Seed != 0 {
			h.prefix = binary.LittleEndian.AppendUint64(nil, key.Seed)
			key.Seed = 0
		}
		hash, err := plain(key)
		if err != nil {
			return nil, err
		}
		var ok bool
		if h.ByteHash, ok = hash.(fphash.ByteHash); !ok {
			return nil, fmt.Errorf("quality: hash %s takes no byte strings, which features of texts are", family.Name)
		}
		return h, nil
	}
	return family, nil
}

// textHash hashes the features that indices stand for.
type textHash struct {
	fphash.ByteHash // of byte strings
	features        map[uint64][]byte
	prefix          []byte
}

func (h textHash) HashUint64s(dst, indices []uint64) {
	data, ends := make([]byte, 0, 16*len(indices)), make([]int, 0, len(indices))
	for _, index := range indices {
		data = append(data, h.prefix...)
		if feature, ok := h.features[index]; ok {
			data = append(data, feature...)
		} else {
			data = binary.LittleEndian.AppendUint64(data, index)
		}
		ends = append(ends, len(data))
	}
	h.ByteHash.HashBytes(dst, data, ends)
}
