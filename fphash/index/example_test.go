package index_test

import (
	"errors"
	"fmt"
	"log"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
)

// The fingerprints of an index and of its queries must have the same definition. Distances to
// fingerprints of another hash would be meaningless.
func Example() {
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	definition := s.Definition().String()
	x, err := index.New(s.Bits(), definition, 3)
	if err != nil {
		log.Fatal(err)
	}
	words, _, err := fphash.AppendUnit(s, nil, []string{"to", "be", "or", "not"})
	if err != nil {
		log.Fatal(err)
	}
	if err := x.Insert(&index.Set{Bits: s.Bits(), Words: words, IDs: []uint64{7}, Definition: definition}); err != nil {
		log.Fatal(err)
	}

	matches, err := x.Snapshot().AppendWithin(nil, index.Query{Words: words, Definition: definition}, 3)
	fmt.Println(matches, err)

	_, err = x.Snapshot().AppendWithin(nil, index.Query{Words: words, Definition: "md5,le64,64,tie=zero,order=grouped"}, 3)
	fmt.Println(errors.Is(err, fphash.ErrMismatch))
	// Output:
	// [{7 0 0}] <nil>
	// true
}
