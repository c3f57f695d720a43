package dedup_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"simhashkit/datasets/text"
	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/textsketch"
)

// Texts are near-duplicates if nine of ten words are the same, in the same order. Fingerprints
// select the candidates, and Texts compares them.
func ExampleFind() {
	texts := []string{
		"The ferry to the island leaves at nine in the morning from the old pier, and it comes back at five.",
		"Bring good shoes: the path along the cliff is steep.",
		"The ferry to the island leaves at TEN in the morning from the old pier, and it comes back at five!",
	}
	ctx := context.Background()
	spec := dedup.Spec{Measure: dedup.Words, Similarity: 0.9, Recall: dedup.DefaultRecall}
	c := spec.Candidates()
	hash, err := fphash.New(fphash.Definition{Bits: c.Bits, Kind: c.Sketch})
	if err != nil {
		log.Fatal(err)
	}
	sketcher, err := textsketch.New(textsketch.Options{Hash: hash, Text: text.Options{Fold: true}, Whole: true})
	if err != nil {
		log.Fatal(err)
	}
	records := &dedup.Records{Name: "notices"}
	records.Set.Bits = c.Bits
	local := sketcher.Local()
	for _, t := range texts {
		fingerprint, status, err := local.Append(nil, []byte(t))
		if err != nil {
			log.Fatal(err)
		}
		records.Add(nil, fingerprint, status == fphash.Informative)
	}
	verify := &dedup.Verifier{Spec: spec, Texts: func(_ context.Context, records []uint64, take func(uint64, []byte) error) error {
		for _, r := range records {
			if err := take(r, []byte(texts[r])); err != nil {
				return err
			}
		}
		return nil
	}}
	defer verify.Close()
	result, err := dedup.Find(ctx, records, dedup.Options{Spec: spec, Verify: verify})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range result.Examples(10) {
		fmt.Printf("%s is dropped for %s: %s\n", records.ID(e.Dropped), records.ID(e.Kept), e.Apart())
	}
	// Output: 3 is dropped for 1: similarity 0.95
}

// Without a similarity, fingerprints alone decide: records are near-duplicates if at most k bits
// differ. The list shows the dropped records with their fingerprints.
func ExampleFind_fingerprints() {
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	records := &dedup.Records{Name: "sayings"}
	records.Set.Bits = s.Bits()
	for _, r := range []struct {
		id    string
		words []string
	}{
		{"first", []string{"to", "be", "or", "not"}},
		{"second", []string{"that", "is", "the", "question"}},
		{"third", []string{"not", "or", "be", "to"}},
	} {
		fingerprint, status, err := fphash.AppendUnit(s, nil, r.words)
		if err != nil {
			log.Fatal(err)
		}
		records.Add([]byte(r.id), fingerprint, status == fphash.Informative)
	}
	spec := dedup.Spec{K: dedup.DefaultK(fphash.SimHash, s.Bits()), By: dedup.Components}
	result, err := dedup.Find(context.Background(), records, dedup.Options{Spec: spec})
	if err != nil {
		log.Fatal(err)
	}
	if err := result.List(context.Background(), os.Stdout, dedup.ListDrop, "tsv"); err != nil {
		log.Fatal(err)
	}
	// Output: third	0a0e814030138148
}
