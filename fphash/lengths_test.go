package fphash

import (
	"fmt"
	"reflect"
	"testing"
)

// countingHash counts the calls of a hash.
type countingHash struct {
	Hash
	calls *int
}

func (h countingHash) HashUint64s(dst, keys []uint64) {
	*h.calls++
	h.Hash.HashUint64s(dst, keys)
}

// TestNoCliffBeyondAChunk checks the cost of a unit vector longer than a chunk without measuring
// time. The hash is called once for each chunk. A fingerprint needs no lanes, and sums need one
// unpacking of all counters.
func TestNoCliffBeyondAChunk(t *testing.T) {
	for _, bits := range []int{64, 128, 256, 1024} {
		calls := 0
		family, err := Lookup("xxh64")
		if err != nil {
			t.Fatal(err)
		}
		build := family.New
		family.Name = "counting"
		family.New = func(k Key) (Hash, error) {
			h, err := build(k)
			return countingHash{h, &calls}, err
		}
		s, err := New(Definition{Bits: bits, Widen: WidenMix}, WithFamily(family))
		if err != nil {
			t.Fatal(err)
		}
		chunk := chunkOf(s.definition)
		for _, n := range []int{1, chunk - 1, chunk, chunk + 1, 2 * chunk, 2*chunk + 1, 9*chunk + 7} {
			t.Run(fmt.Sprintf("bits=%d/n=%d", bits, n), func(t *testing.T) {
				features := make([]uint64, n)
				for i := range features {
					features[i] = uint64(i) << 20
				}
				hashed := (n + chunk - 1) / chunk
				l := s.Local()
				const untouched = 0x1234
				for t := range l.own.lanes.of(s.definition, reflect.Int64).i64 {
					l.own.lanes.i64[t][0] = untouched
				}
				calls = 0
				if _, _, err := AppendUnit(l, nil, features); err != nil {
					t.Fatal(err)
				}
				if calls != hashed {
					t.Errorf("%d calls of the hash, expected %d", calls, hashed)
				}
				for word, sums := range l.own.lanes.i64 {
					if sums[0] != untouched {
						t.Errorf("lanes of word %d were used, expected only counters", word)
					}
				}

				calls = 0
				sums := new(lanes).of(s.definition, reflect.Int64)
				l.own.add(sums, columnOf(features), units(n))
				if calls != hashed {
					t.Errorf("sums: %d calls of the hash, expected %d", calls, hashed)
				}
				if n <= chunk {
					return
				}
				for word := range sums.i64 {
					var lanes [64]int64
					l.own.lanes.counters[word].AddTo(&lanes)
					if lanes != sums.i64[word] {
						t.Errorf("the counters of word %d have not counted all features, expected one unpacking", word)
					}
				}
			})
		}
	}
}
