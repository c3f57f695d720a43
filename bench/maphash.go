package bench

import (
	"encoding/binary"
	"hash/maphash"

	"simhashkit/fphash"
)

// mapHashName is the name of mapHash in cases.
const mapHashName = "maphash"

// mapHash is the hash of hash/maphash and of Go maps. It is another function in every process. So
// its cost can be measured, but it cannot make fingerprints that are stored, and its quality would
// differ from run to run. fphash does not have it.
var mapHash = fphash.Family{
	Name: mapHashName, Bits: 64,
	New: func(fphash.Key) (fphash.Hash, error) { return goMapHash{mapHashSeed}, nil },
}

// mapHashSeed is that of this process: the codes of two of its hashes are to be the same.
var mapHashSeed = maphash.MakeSeed()

type goMapHash struct{ seed maphash.Seed }

func (h goMapHash) HashUint64s(dst, keys []uint64) {
	dst = dst[:len(keys)]
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = maphash.Bytes(h.seed, b[:])
	}
}

func (h goMapHash) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = maphash.Bytes(h.seed, data[start:end])
		start = end
	}
}

// timedNames lists the hashes whose times are measured: those to choose among, and mapHash.
func timedNames() []string { return append(familyNames(), mapHashName) }

// timedFamily returns the family of that name, of those.
func timedFamily(name string) (fphash.Family, error) {
	if name == mapHashName {
		return mapHash, nil
	}
	return fphash.Lookup(name)
}
