package indexfile_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/indexfile"
)

// A file is created once, and then new entries are inserted. They are on disk when Insert returns.
func Example() {
	dir, err := os.MkdirTemp("", "index")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "texts.index")
	s, err := fphash.New()
	if err != nil {
		log.Fatal(err)
	}
	entry := func(id uint64, words ...string) *indexfile.Entries {
		fingerprint, _, err := fphash.AppendUnit(s, nil, words)
		if err != nil {
			log.Fatal(err)
		}
		return &indexfile.Entries{Set: index.Set{Bits: s.Bits(), Words: fingerprint, IDs: []uint64{id}, Definition: s.Definition().String()}}
	}

	if err := indexfile.Create(path, entry(7, "to", "be", "or", "not"), indexfile.Options{K: 3}); err != nil {
		log.Fatal(err)
	}
	w, err := indexfile.OpenWriter(path)
	if err != nil {
		log.Fatal(err)
	}
	if err := w.Insert(entry(8, "that", "is", "the", "question")); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := indexfile.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	query := entry(0, "question", "the", "is", "that")
	matches, err := r.AppendWithin(nil, index.Query{Words: query.Words, Definition: query.Definition}, 3)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range matches {
		fmt.Println(m.ID.Number, m.Distance)
	}
	// Output: 8 0
}
