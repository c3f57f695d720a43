package dedup_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/fphash/index"
)

// Texts are near-duplicates if nine of ten words are the same, in the same order. Fingerprints
// select the candidates, and Find reads these again to compare them.
func ExampleFind() {
	texts := []string{
		"The ferry to the island leaves at nine in the morning from the old pier, and it comes back at five.",
		"Bring good shoes: the path along the cliff is steep.",
		"The ferry to the island leaves at TEN in the morning from the old pier, and it comes back at five!",
	}
	ctx := context.Background()
	spec := dedup.DefaultSpec(dedup.Words)
	sketcher, err := spec.Sketcher(nil)
	if err != nil {
		log.Fatal(err)
	}
	records := &dedup.Records{Name: "notices"}
	records.Set.Bits = sketcher.Bits()
	local := sketcher.Local()
	for _, text := range texts {
		fingerprint, status, err := local.Append(nil, []byte(text))
		if err != nil {
			log.Fatal(err)
		}
		records.Add(nil, fingerprint, status == fphash.Informative)
	}
	again := func(_ context.Context, records []uint64, take func(uint64, []byte) error) error {
		for _, r := range records {
			if err := take(r, []byte(texts[r])); err != nil {
				return err
			}
		}
		return nil
	}
	result, err := dedup.Find(ctx, records, dedup.Options{Spec: spec, Texts: again})
	if err != nil {
		log.Fatal(err)
	}
	defer result.Close()
	for _, e := range result.Examples(10, false) {
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
	spec := dedup.Spec{K: dedup.DefaultK(fphash.SimHash, s.Bits())}
	result, err := dedup.Find(context.Background(), records, dedup.Options{Spec: spec})
	if err != nil {
		log.Fatal(err)
	}
	if err := result.List(context.Background(), os.Stdout, "drop", "csv"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// id,fingerprint
	// third,0a0e814030138148
}

// A filter for a stream: a page is dropped if it is similar to an earlier one that was kept. An
// index finds the earlier pages with near fingerprints, and Select compares these with the page.
func ExampleSelect() {
	pages := []string{
		"The ferry to the island leaves at nine in the morning from the old pier, and it comes back at five.",
		"Bring good shoes: the path along the cliff is steep.",
		"The ferry to the island leaves at TEN in the morning from the old pier, and it comes back at five!",
	}
	spec := dedup.DefaultSpec(dedup.Words)
	_, k := spec.Candidates()
	sketcher, err := spec.Sketcher(nil)
	if err != nil {
		log.Fatal(err)
	}
	kept, err := index.New(sketcher.Bits(), "", k)
	if err != nil {
		log.Fatal(err)
	}
	local := sketcher.Local()
	for i, page := range pages {
		fingerprint, _, err := local.Append(nil, []byte(page))
		if err != nil {
			log.Fatal(err)
		}
		near, err := kept.Snapshot().AppendWithin(nil, index.Query{Words: fingerprint}, k)
		if err != nil {
			log.Fatal(err)
		}
		group := func(yield func(dedup.GroupText, error) bool) {
			for _, match := range near {
				if !yield(dedup.GroupText{ID: fmt.Sprint(match.ID), Text: []byte(pages[match.ID]), Old: true}, nil) {
					return
				}
			}
			yield(dedup.GroupText{ID: fmt.Sprint(i), Text: []byte(page)}, nil)
		}
		dropped := false
		for d, err := range dedup.Select(context.Background(), spec, "", group) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("page %s is dropped for page %s: similarity %.2f\n", d.ID, d.Kept, d.Similarity)
			dropped = true
		}
		if !dropped {
			err = kept.Insert(&index.Set{Bits: sketcher.Bits(), Words: fingerprint, IDs: []uint64{uint64(i)}})
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	// Output: page 2 is dropped for page 0: similarity 0.95
}
