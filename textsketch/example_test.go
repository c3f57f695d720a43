package textsketch_test

import (
	"fmt"
	"log"

	"simhashkit/datasets/text"
	"simhashkit/fphash"
	"simhashkit/textsketch"
)

// Texts that differ in few words have fingerprints that differ in few bits.
func Example() {
	hash, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	s, err := textsketch.New(textsketch.Options{Hash: hash, Text: text.Options{Fold: true, N: 2}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Definition())

	local := s.Local() // one for each goroutine
	var fingerprints []uint64
	for _, document := range []string{
		"The quick brown fox jumps over the lazy dog, and the dog sleeps on.",
		"The quick brown fox jumps over the lazy dog, and the dog goes on sleeping.",
		"All happy families are alike; each unhappy family is unhappy in its own way.",
	} {
		if fingerprints, _, err = local.Append(fingerprints, []byte(document)); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(fphash.Distance64(fingerprints[0], fingerprints[1]), fphash.Distance64(fingerprints[0], fingerprints[2]))
	// Output:
	// words,n=2,lang=auto,fold; count; xxh64,le64,64,tie=zero,order=grouped
	// 12 25
}
