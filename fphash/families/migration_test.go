package families_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dchest/siphash"

	"simhashkit/fphash"
)

// simstore reimplements github.com/dgryski/go-simstore/simhash.
func simstore(features [][]byte) (fingerprint uint64) {
	var sums [64]int64
	for _, feature := range features {
		code := siphash.Hash(0, 0, feature)
		for j := range sums {
			sums[j] += int64(code>>j&1)*2 - 1
		}
	}
	for j, sum := range sums {
		if sum < 0 {
			fingerprint |= 1 << j
		}
	}
	return fingerprint
}

func TestMigrationFromSimstore(t *testing.T) {
	s, err := fphash.New(fphash.Definition{Hash: "siphash", Tie: fphash.TieOne})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(9, 15))
	for n := range 200 { // even numbers have ties
		var features [][]byte
		for range n {
			features = append(features, fmt.Append(nil, "feature ", r.IntN(100)))
		}
		if words, _, err := fphash.AppendUnit(s, nil, features); err != nil || ^words[0] != simstore(features) {
			t.Errorf("%d features: %x, %v, want %016x", n, words, err, simstore(features))
		}
	}
}
