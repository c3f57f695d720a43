package fphash_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"slices"
	"strings"
	"sync"

	"simhashkit/asm/hamming"
	"simhashkit/fphash"
)

// Goroutines can share one Sketcher.
func ExampleSketcher_goroutines() {
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	texts := []string{"to be or not to be", "that is the question", "words words words", "the rest is silence"}
	fingerprints := make([]fphash.Fingerprint, len(texts))
	var all sync.WaitGroup
	for i, text := range texts {
		all.Go(func() {
			words, _, err := fphash.AppendUnit(s, nil, strings.Fields(text))
			if err != nil {
				log.Fatal(err)
			}
			fingerprints[i] = words
		})
	}
	all.Wait()
	for _, f := range fingerprints {
		fmt.Println(f)
	}
	// Output:
	// 0a0e834030138948
	// 02310742384b1450
	// 6cf856dff5cc5e3a
	// 041903a41e0e36ad
}

// A goroutine that computes millions of fingerprints saves about 10 ns for each with its own
// buffers.
func ExampleSketcher_Local() {
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	local := s.Local() // for this goroutine only
	var fingerprint []uint64
	for i := range uint64(3) {
		if fingerprint, _, err = fphash.AppendUnit(local, fingerprint[:0], []uint64{i, i + 1, i + 2}); err != nil {
			log.Fatal(err)
		}
		fmt.Println(fphash.Fingerprint(fingerprint))
	}
	// Output:
	// bec96a45c2e819b1
	// 8fa91e45a6ec0991
	// aba61e6807ec4881
}

// If features are only present or absent, all weights are 1.
func ExampleAppendUnit() {
	s, err := fphash.New(fphash.Definition{Bits: 32})
	if err != nil {
		log.Fatal(err)
	}
	type TermID uint32
	words, status, err := fphash.AppendUnit(s, nil, []TermID{17, 4, 1999})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fphash.Fingerprint(words).Hex(32), status)
	// Output: 87b7d61a informative
}

// Maps have no order, but sums of floating-point weights depend on the order.
func ExampleSketch64_map() {
	scores := map[string]float32{"usa": 5, "alien": 4, "saucer": 3, "area51": 2, "grey": 1}
	words := slices.Sorted(maps.Keys(scores))
	var weights []float32
	for _, word := range words {
		weights = append(weights, scores[word])
	}
	fmt.Println(words, weights)
	fingerprint, _, err := fphash.Sketch64(words, weights)
	fmt.Printf("%016x %v\n", fingerprint, err)
	// Output:
	// [alien area51 grey saucer usa] [4 2 1 3 5]
	// 89b964f07fca0c9b <nil>
}

// Words are added one by one.
func ExampleAdd_words() {
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	words := bufio.NewScanner(strings.NewReader("To be, or not to be:\nthat is the question."))
	words.Split(bufio.ScanWords)
	a := fphash.NewAccumulator[int64](s)
	for words.Scan() {
		if err := fphash.Add(a, 1, words.Bytes()); err != nil {
			log.Fatal(err)
		}
	}
	fingerprint, status := a.Append(nil)
	fmt.Println(fphash.Fingerprint(fingerprint), status)
	// Output: 0a93214638533138 informative
}

// A definition is stored with its fingerprints, and read to compute more of them.
func ExampleParseDefinition() {
	s, err := fphash.New(fphash.Definition{Hash: "sha256", Bits: 256, Tie: fphash.TieOne})
	if err != nil {
		log.Fatal(err)
	}
	stored := s.Definition().String()
	fmt.Println(stored)

	definition, err := fphash.ParseDefinition(stored)
	if err != nil {
		log.Fatal(err)
	}
	same, err := fphash.New(definition)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(same.Bits(), same.Definition().Tie)
	// Output:
	// sha256,le64,256,tie=one,order=grouped
	// 256 one
}

// In JSON, a fingerprint is hexadecimal text, because many programs round numbers above 2^53.
func ExampleFingerprint_json() {
	type document struct {
		ID          int
		Fingerprint fphash.Fingerprint
	}
	fingerprint, _, err := fphash.SketchUnit64([]string{"to", "be", "or", "not"})
	if err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(document{7, fphash.Fingerprint{fingerprint}})
	fmt.Println(string(text), err)
	var read document
	err = json.Unmarshal(text, &read)
	fmt.Println(read.Fingerprint[0] == fingerprint, err)
	// Output:
	// {"ID":7,"Fingerprint":"0a0e814030138148"} <nil>
	// true <nil>
}

// Each new document is compared with all kept documents, and kept if it is similar to none.
func Example_nearDuplicates() {
	const most = 10 // bits that may differ, of 64
	documents := []string{
		"the quick brown fox jumps over the lazy dog and runs away",
		"colourless green ideas sleep furiously in the old library",
		"the quick brown fox jumps over the lazy dog and walks away",
	}
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	var kept []uint64 // one after the other, s.Words() words each
	var found []hamming.Match
	for _, text := range documents {
		fingerprint, _, err := fphash.AppendUnit(s, nil, strings.Fields(text))
		if err != nil {
			log.Fatal(err)
		}
		found = hamming.AppendWithin(found[:0], kept, fingerprint, most)
		for _, match := range found {
			fmt.Printf("%q is like document %d: %d bits differ\n", text, match.Index, match.Distance)
		}
		if len(found) == 0 {
			kept = append(kept, fingerprint...)
		}
	}
	fmt.Println(len(kept), "kept")
	// Output:
	// "the quick brown fox jumps over the lazy dog and walks away" is like document 0: 4 bits differ
	// 2 kept
}

// Several processes count the words of one text: each writes its accumulator, and one process
// merges them.
func ExampleAccumulator_mapAndReduce() {
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	var files [][]byte
	for _, part := range []string{"to be or not", "to be that is", "the question"} { // map
		a := fphash.NewAccumulator[int64](s)
		if err := fphash.Add(a, 1, strings.Fields(part)...); err != nil {
			log.Fatal(err)
		}
		state, err := a.MarshalBinary()
		if err != nil {
			log.Fatal(err)
		}
		files = append(files, state)
	}

	total, part := fphash.NewAccumulator[int64](s), fphash.NewAccumulator[int64](s)
	for _, state := range files { // reduce
		if err := part.UnmarshalBinary(state); err != nil { // ErrMismatch if the definition differs
			log.Fatal(err)
		}
		if err := total.Merge(part); err != nil {
			log.Fatal(err)
		}
	}
	fingerprint, _ := total.Append(nil)
	whole, _, err := fphash.SketchUnit64(strings.Fields("to be or not to be that is the question"))
	fmt.Println(fingerprint[0] == whole, err)
	// Output: true <nil>
}
