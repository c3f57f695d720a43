package docsketch_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"simhashkit/datasets/documents"
	"simhashkit/fphash"
	"simhashkit/internal/docsketch"
	"simhashkit/textsketch"
)

// Use documents.Open to read a file.
func ExampleDocuments() {
	hash, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	sketcher, err := textsketch.New(textsketch.Options{Hash: hash})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	input := strings.NewReader(`{"id": "a", "text": "Some words."}
{"id": "b", "text": "Some other words."}
`)
	reader, err := documents.NewReader(ctx, input, "notes.jsonl", documents.Options{ID: "id"})
	if err != nil {
		log.Fatal(err)
	}
	defer reader.Close()
	for d, err := range docsketch.Documents(ctx, sketcher, reader, new(docsketch.Missing), 0) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %d words, %016x\n", d.ID, d.Features, d.Fingerprint[0])
	}
	// Output:
	// a: 2 words, 4c0850942400163a
	// b: 3 words, 7c2e74dea6e4563a
}
