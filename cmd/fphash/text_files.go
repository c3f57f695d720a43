package main

import (
	"context"
	"io"
	"slices"

	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
)

const standardInput = "standard input"

// textFile is a file that is one document.
type textFile struct {
	name     string
	text     []byte
	features [][]byte
}

// readTexts reads files whole, packed or not; "-" is standard input.
func readTexts(ctx context.Context, stdin io.Reader, names []string) ([]textFile, error) {
	var files []textFile
	for _, name := range names {
		read, err := readText(ctx, stdin, name)
		if err != nil {
			return nil, err
		}
		if name == documents.StandardInput {
			name = standardInput
		}
		files = append(files, textFile{name: name, text: read})
	}
	return files, nil
}

func readText(ctx context.Context, stdin io.Reader, name string) ([]byte, error) {
	options := documents.Options{Format: documents.Files}
	open := func() (documents.Reader, error) { return documents.Open(ctx, name, options) }
	if name == documents.StandardInput {
		open = func() (documents.Reader, error) { return documents.NewReader(ctx, stdin, standardInput, options) }
	}
	reader, err := open()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	var d documents.Document
	if err := reader.Read(&d); err != nil {
		return nil, err
	}
	return d.Text, nil // nobody reads on
}

// languagesOf returns the languages that texts are of, sorted: zh, ja, and "" for all others.
func languagesOf(files []textFile) []string {
	plain, err := text.New(text.Options{})
	if err != nil {
		return nil
	}
	var languages []string
	for _, file := range files {
		if l := plain.Choose(file.text).Language; !slices.Contains(languages, l) {
			languages = append(languages, l)
		}
	}
	slices.Sort(languages)
	return languages
}
