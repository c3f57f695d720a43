package indexfile_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/indexfile"
)

// A crawler keeps a page unless it is near one that it kept before. What InsertUnlessNear inserted
// is on disk, and many goroutines may call it at the same time.
func Example() {
	dir, err := os.MkdirTemp("", "crawl")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "pages.index")
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	definition := s.Definition().String()
	empty := &indexfile.Entries{Set: index.Set{Bits: s.Bits(), Definition: definition}}
	if err := indexfile.Create(context.Background(), path, empty, indexfile.Options{K: 3, Texts: true}); err != nil {
		log.Fatal(err)
	}
	pages, err := indexfile.OpenWriter(path)
	if err != nil {
		log.Fatal(err)
	}
	defer pages.Close()

	for _, page := range []struct{ url, text string }{
		{"/hamlet", "to be or not to be that is the question"},
		{"/macbeth", "is this a dagger which I see before me"},
		{"/copy", "that is the question to be or not to be"},
	} {
		words, _, err := fphash.AppendUnit(s, nil, strings.Fields(page.text))
		if err != nil {
			log.Fatal(err)
		}
		near, err := pages.InsertUnlessNear(indexfile.ID{Text: page.url}, index.Query{Words: words, Definition: definition}, 3)
		if err != nil {
			log.Fatal(err)
		}
		if len(near) > 0 {
			fmt.Println(page.url, "is near", near[0].ID.Text)
		}
	}
	fmt.Println(pages.Info().Entries, "pages")
	// Output:
	// /copy is near /hamlet
	// 2 pages
}
