package fphash

import "simhashkit/asm/hashing"

var splitMix64Family = Family{
	Name: "splitmix64", Bits: 64, Seeded: true, Integer: true,
	Verification: 0x53751d7371d89be5,
	New:          func(k Key) (Hash, error) { return splitMix64{k.Seed}, nil },
}

// splitMix64 is mix((i XOR mix(seed)) + γ), with the finaliser and the step of the SplitMix64
// generator.
type splitMix64 struct{ seed uint64 }

func (h splitMix64) HashUint64s(dst, keys []uint64) { hashing.SplitMix64(dst, keys, h.seed) }
