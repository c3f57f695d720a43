package fphash

var mixedTabulationFamily = Family{
	Name: "mixed-tabulation", Bits: 64, Seeded: true, Integer: true,
	Verification: 0x72763cd6fb5fdad8,
	New:          func(k Key) (Hash, error) { return newMixedTabulation(k.Seed), nil },
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
		e0, e1, e2, e3 := &h.first[0][byte(k)], &h.first[1][byte(k>>8)], &h.first[2][byte(k>>16)], &h.first[3][byte(k>>24)]
		e4, e5, e6, e7 := &h.first[4][byte(k>>32)], &h.first[5][byte(k>>40)], &h.first[6][byte(k>>48)], &h.first[7][k>>56]
		d := e0.derived ^ e1.derived ^ e2.derived ^ e3.derived ^ e4.derived ^ e5.derived ^ e6.derived ^ e7.derived
		dst[i] = e0.code ^ e1.code ^ e2.code ^ e3.code ^ e4.code ^ e5.code ^ e6.code ^ e7.code ^
			h.second[0][byte(d)] ^ h.second[1][byte(d>>8)] ^ h.second[2][byte(d>>16)] ^ h.second[3][byte(d>>24)] ^
			h.second[4][byte(d>>32)] ^ h.second[5][byte(d>>40)] ^ h.second[6][byte(d>>48)] ^ h.second[7][d>>56]
	}
}
