package source_test

import (
	"context"
	"log"
	"os"

	"simhashkit/dedup/source"
)

// The near-duplicates of a Parquet file: the output has the ids of the records to drop. Without
// hints, the fields text and id are read.
func ExampleFind() {
	ctx := context.Background()
	pages, err := source.Open(ctx, []string{"testdata/pages.parquet"}, source.Hints{Text: "content", ID: "url"})
	if err != nil {
		log.Fatal(err)
	}
	defer pages.Close()
	result, err := source.Find(ctx, pages, source.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer result.Close()
	if err := result.List(ctx, os.Stdout, "drop", "text"); err != nil {
		log.Fatal(err)
	}
	// Output: https://example.net/ferry-copy
}
