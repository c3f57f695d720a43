package fphash

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// Codes follow the definition of tornado tabulation, character by character.
func TestTornadoTabulation(t *testing.T) {
	const plain, derived = 7, 5 // the first derived character is XORed with the last byte
	h := newTornadoTabulation(5)
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 1000 {
		key := r.Uint64() >> (n % 64)
		input := binary.LittleEndian.AppendUint64(nil, key)
		characters := append([]byte{}, input[:plain]...)
		for i := range derived {
			next := byte(0)
			for at, c := range characters {
				// the derived word of a later table begins with the character that follows it
				skipped := max(0, at-plain+1)
				next ^= byte(h[at][c].derived >> (8 * (i - skipped)))
			}
			if i == 0 {
				next ^= input[plain]
			}
			characters = append(characters, next)
		}
		want, got := uint64(0), make([]uint64, 1)
		for at, c := range characters {
			want ^= h[at][c].code
		}
		if h.HashUint64s(got, []uint64{key}); got[0] != want {
			t.Fatalf("code of %#x is %016x, want %016x", key, got[0], want)
		}
	}
}
