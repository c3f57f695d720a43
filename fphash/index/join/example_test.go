package join_test

import (
	"context"
	"fmt"
	"log"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
)

// documents returns a set of fingerprints of short documents.
func documents() *index.Set {
	s, err := fphash.New(fphash.Definition{Hash: "xxh64"})
	if err != nil {
		log.Fatal(err)
	}
	set := &index.Set{Bits: s.Bits(), Definition: s.Definition().String()}
	for _, words := range [][]string{
		{"the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog"},
		{"pack", "my", "box", "with", "five", "dozen", "liquor", "jugs"},
		{"the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog"},
		{"quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog", "the"},
	} {
		set.Words, _, err = fphash.AppendUnit(s, set.Words, words)
		if err != nil {
			log.Fatal(err)
		}
	}
	return set
}

// Pairs yields all pairs, as they are found.
func ExampleJoin_Pairs() {
	j := join.Join{Set: documents(), K: 3}
	for pair, err := range j.Pairs(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("documents %d and %d differ in %d bits\n", pair.A, pair.B, pair.Distance)
	}
	// Unordered output:
	// documents 0 and 2 differ in 0 bits
	// documents 0 and 3 differ in 0 bits
	// documents 2 and 3 differ in 0 bits
}

// This example keeps one fingerprint of each group.
func ExampleJoin_Groups() {
	j := join.Join{Set: documents(), K: 3}
	groups, err := j.Groups(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, g := range groups.All() {
		fmt.Printf("keep %d, drop %v\n", g[0], g[1:])
	}
	// Output: keep 0, drop [2 3]
}

// A plan describes the cost of a join in advance.
func ExampleJoin_Plan() {
	set := &index.Set{Bits: 64, Words: make([]uint64, 10_000_000)}
	plan, err := (&join.Join{Set: set, K: 3}).Plan()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("by %d bits of each of %d blocks, with %d MB of memory\n", plan.KeyBits, plan.Blocks, plan.Bytes/1e6)
	fmt.Printf("it compares at most %.2g of %.2g pairs\n", plan.Comparisons, plan.Pairs)
	// Output:
	// by 16 bits of each of 4 blocks, with 120 MB of memory
	// it compares at most 3.1e+09 of 5e+13 pairs
}
