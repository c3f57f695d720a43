package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"

	"simhashkit/fphash"
)

// mfonda computes the same fingerprint of weighted words as github.com/mfonda/simhash, which hashes
// words with FNV-1 and takes 1 if a sum is zero.
func mfonda(words []string, weights []int) (fingerprint uint64) {
	var sums [64]int
	for i, word := range words {
		h := fnv.New64()
		h.Write([]byte(word))
		for j := range sums {
			if h.Sum64()>>j&1 == 1 {
				sums[j] += weights[i]
			} else {
				sums[j] -= weights[i]
			}
		}
	}
	for j, sum := range sums {
		if sum >= 0 {
			fingerprint |= 1 << j
		}
	}
	return fingerprint
}

// This module computes the same fingerprints as github.com/mfonda/simhash, from words or from the
// results of Feature.Sum.
func TestMigration(t *testing.T) {
	words, err := fphash.New(fphash.Definition{Hash: "fnv1-64", Tie: fphash.TieOne})
	if err != nil {
		t.Fatal(err)
	}
	hashed, err := fphash.New(fphash.Definition{Hash: "identity", Tie: fphash.TieOne})
	if err != nil {
		t.Fatal(err)
	}
	// the examples in the documentation of that package
	for text, want := range map[string]uint64{
		"this is a test phrase": 0x8c3a5f7e9ecb3f35, "this is a test phrass": 0x8c3a5f7e9ecb3f21, "foo bar": 0xd8dbe7186bad3db3,
	} {
		if got, _, err := fphash.AppendUnit(words, nil, strings.Fields(text)); err != nil || got[0] != want {
			t.Errorf("%s: %x, %v, want %x", text, got, err, want)
		}
	}
	r := rand.New(rand.NewPCG(15, 9))
	for i := range 300 {
		var text []string
		var weights []int
		var sums []uint64
		for range i % 50 { // the first text is empty; an even number of words often causes ties
			word := fmt.Sprintf("mot-%d-é", r.IntN(500))
			h := fnv.New64()
			h.Write([]byte(word))
			text, weights, sums = append(text, word), append(weights, 1+r.IntN(i/100+1)), append(sums, h.Sum64())
		}
		want := mfonda(text, weights)
		byWords, _, err := fphash.Append(words, nil, text, weights)
		bySums, _, err2 := fphash.Append(hashed, nil, sums, weights)
		if err != nil || err2 != nil || byWords[0] != want || bySums[0] != want {
			t.Errorf("text %d: %x by words (%v), %x by sums (%v), want %x", i, byWords, err, bySums, err2, want)
		}
	}
}
