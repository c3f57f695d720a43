package families_test

import (
	"fmt"
	"log"

	"simhashkit/fphash"
	_ "simhashkit/fphash/families"
)

func Example() {
	s, err := fphash.New(fphash.Definition{Hash: "siphash", Key: []byte("sixteen byte key")})
	if err != nil {
		log.Fatal(err)
	}
	f, status, err := fphash.Append(s, nil, []string{"words", "of", "a", "text"}, []float64{1, 2, 2, 1})
	fmt.Printf("%016x, %v, %v\n", f[0], status, err)
	// Output: 03f9cb280348019d, informative, <nil>
}

// The fingerprints of github.com/dgryski/go-simstore/simhash are the complement of those of this
// definition: that package hashes with SipHash and a key of zeros, and sets the bits whose sums are
// negative. Distances are the same.
func Example_migrationFromSimstore() {
	s, err := fphash.New(fphash.Definition{Hash: "siphash", Tie: fphash.TieOne})
	if err != nil {
		log.Fatal(err)
	}
	words, _, err := fphash.AppendUnit(s, nil, []string{"Now ", "ow i", "w is"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%016x\n", ^words[0])
	// Output: 5714993ce83099d9
}
