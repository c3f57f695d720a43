package dedup_test

import (
	"context"
	"log"
	"os"

	"simhashkit/dedup"
	"simhashkit/fphash"
)

// Of records that are near-duplicates one is kept; the list has those that are dropped, with their
// fingerprints.
func ExampleFind() {
	s, err := fphash.New()
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
	result, err := dedup.Find(context.Background(), records, dedup.Options{K: dedup.DefaultK(fphash.SimHash, s.Bits()), By: dedup.Components})
	if err != nil {
		log.Fatal(err)
	}
	if err := result.List(context.Background(), os.Stdout, dedup.ListDrop, "tsv"); err != nil {
		log.Fatal(err)
	}
	// Output: third	0a0e814030138148
}
