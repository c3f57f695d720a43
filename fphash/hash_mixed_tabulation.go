package fphash

var mixedTabulationFamily = Family{
	Name: "mixed-tabulation", Bits: 64, Seeded: true, Integer: true,
	New: func(k Key) (Hash, error) { return newMixedTabulation(k.Seed), nil },
}

// mixedTabulation is mixed tabulation of Dahlgaard, Knudsen, Rotenberg and Thorup (FOCS 2015): each
// of the index's 8 bytes selects a random word and 8 random bytes, the derived characters; the XOR
// of the words is the code, to which each byte of the XOR of the characters adds a word of its own.
// Dahlgaard, Knudsen and Thorup (NIPS 2017) prove for it what feature hashing and similarity
// estimation need. The tables take 48 KiB and are filled from the seed, in the order in which they
// are declared.
type mixedTabulation struct {
	first  [8][256]struct{ code, derived uint64 }
	second [8][256]uint64
}

func newMixedTabulation(seed uint64) *mixedTabulation {
	next := seededWords(seed)
	h := new(mixedTabulation)
	for i := range h.first {
		for b := range h.first[i] {
			h.first[i][b].code, h.first[i][b].derived = next(), next()
		}
	}
	for i := range h.second {
		for b := range h.second[i] {
			h.second[i][b] = next()
		}
	}
	return h
}

func (h *mixedTabulation) HashUint64s(dst, keys []uint64) {
	dst = dst[:len(keys)]
	for i, k := range keys {
		var code, derived uint64
		for t := range h.first {
			entry := &h.first[t][byte(k>>(8*t))]
			code ^= entry.code
			derived ^= entry.derived
		}
		for t := range h.second {
			code ^= h.second[t][byte(derived>>(8*t))]
		}
		dst[i] = code
	}
}
