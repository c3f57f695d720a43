package collections

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"simhashkit/datasets/documents"
)

type poem struct {
	Author, Title string
	Paragraphs    []string
}

// readPoems reads the poems of an edition, in the order of the files; of those that have the same
// author and title as another one, none.
func readPoems(ctx context.Context, data, archive string) (titles []string, texts map[string]string, err error) {
	files, err := read(ctx, data, archive, documents.Options{})
	if err != nil {
		return nil, nil, err
	}
	texts = map[string]string{}
	times := map[string]int{}
	for _, file := range files {
		var list []poem
		if err := json.Unmarshal([]byte(file.text), &list); err != nil {
			return nil, nil, fmt.Errorf("%s: %s: %w", archive, file.id, err)
		}
		for _, p := range list {
			title := p.Author + "\t" + p.Title
			if times[title]++; times[title] == 1 {
				titles = append(titles, title)
			}
			texts[title] = strings.Join(p.Paragraphs, "")
		}
	}
	kept := titles[:0]
	for _, title := range titles {
		if times[title] == 1 && texts[title] != "" {
			kept = append(kept, title)
		}
	}
	return kept, texts, nil
}

// inBook is how many poems make a book.
const inBook = 15

// poems are the same poem in two editions, which write many characters in another way, and books
// of such poems.
func poems(ctx context.Context, data string) ([]Collection, error) {
	_, older, err := readPoems(ctx, data, "text/chinese_poetry_tang.tar.gz")
	if err != nil {
		return nil, err
	}
	titles, newer, err := readPoems(ctx, data, "text/chinese_poetry_yuding_quantangshi.tar.gz")
	if err != nil {
		return nil, err
	}
	var each, books []version
	var book version
	for _, title := range titles {
		text, ok := older[title]
		if !ok {
			continue
		}
		each = append(each, version{text, newer[title]})
		book[0], book[1] = book[0]+text, book[1]+newer[title]
		if len(each)%inBook == 0 {
			books = append(books, book)
			book = version{}
		}
	}
	return []Collection{
		ofVersions("poems", Chinese, Short, each),
		ofVersions("poems", Chinese, Middle, each),
		ofVersions("poem-books", Chinese, Long, books),
	}, nil
}
