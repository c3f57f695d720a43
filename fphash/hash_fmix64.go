package fphash

import "simhashkit/asm/hashing"

var fmix64Family = Family{
	Name: "fmix64", Bits: 64, Seeded: true, Integer: true,
	Verification: 0xa7ec14a067b2211e,
	New:          func(k Key) (Hash, error) { return fmix64{k.Seed}, nil },
}

// fmix64 is the finaliser of MurmurHash3 as a hash of the index itself: f(i XOR f(seed)). With seed
// 0 it is f(i), as tables of integers use it, so that the code of index 0 is 0.
type fmix64 struct{ seed uint64 }

func (h fmix64) HashUint64s(dst, keys []uint64) { hashing.Fmix64(dst, keys, h.seed) }
