package fphash

var fmix64Family = Family{
	Name: "fmix64", Bits: 64, Seeded: true, Integer: true,
	New: func(k Key) (Hash, error) { return fmix64{fmix64Of(k.Seed)}, nil },
}

// fmix64 is the finaliser of MurmurHash3 as a hash of the index itself: f(i XOR f(seed)). With seed
// 0 it is f(i), as tables of integers use it, so that the code of index 0 is 0.
type fmix64 struct{ mixed uint64 }

func (h fmix64) HashUint64s(dst, keys []uint64) {
	dst = dst[:len(keys)]
	for i, k := range keys {
		dst[i] = fmix64Of(k ^ h.mixed)
	}
}

func fmix64Of(x uint64) uint64 {
	x = (x ^ x>>33) * 0xFF51AFD7ED558CCD
	x = (x ^ x>>33) * 0xC4CEB9FE1A85EC53
	return x ^ x>>33
}
