package collections

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"simhashkit/datasets/documents"
)

// edited are texts with copies in which one word in twenty, or one character in Chinese and
// Japanese, is replaced by one of another text: for kinds of texts of which nobody has labelled
// anything.
func edited(ctx context.Context, data string) ([]Collection, error) {
	english, err := bible(ctx, data, "ASV")
	if err != nil {
		return nil, err
	}
	chinese, err := bible(ctx, data, "ChiUn")
	if err != nil {
		return nil, err
	}
	japanese, err := captionTexts(ctx, data)
	if err != nil {
		return nil, err
	}
	list, err := read(ctx, data, "text/tldr_pages_en_ja_zh.tar.gz", documents.Options{})
	if err != nil {
		return nil, err
	}
	var manual []string
	for _, r := range list {
		if strings.HasPrefix(r.id, "pages.ja/") {
			manual = append(manual, r.text)
		}
	}
	return []Collection{
		withCopies(English, Short, passages(english, 1)),
		withCopies(English, Long, passages(english, 8)),
		withCopies(Chinese, Short, passages(chinese, 1)),
		withCopies(Chinese, Long, passages(chinese, 20)),
		withCopies(Japanese, Short, japanese),
		withCopies(Japanese, Middle, manual),
		withCopies(Japanese, Long, manual),
	}, nil
}

// withCopies makes a collection of texts and their copies.
func withCopies(language, length string, texts []string) Collection {
	r := random("edited" + language + length)
	var list []version
	for _, text := range texts {
		if lengthOf(text) == length {
			list = append(list, version{text, copyOf(r, language, text, texts[r.IntN(len(texts))])})
		}
	}
	return ofVersions("edited-copies", language, length, list)
}

// replaced is the part of the words that are replaced; one at least.
const replaced = 0.05

// copyOf returns a text with some of its words replaced by words of another one.
func copyOf(r *rand.Rand, language, text, other string) string {
	between := ""
	if language == English {
		between = " "
	}
	words, others := slices.Clip(strings.Split(text, between)), strings.Split(other, between)
	for range max(1, int(replaced*float64(len(words)))) {
		words[r.IntN(len(words))] = others[r.IntN(len(others))]
	}
	return strings.Join(words, between)
}
