package main

import (
	"context"
	"errors"
	"fmt"
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
	var d, more documents.Document
	if err := reader.Read(&d); errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: expected one text, got a folder without files", name)
	} else if err != nil {
		return nil, err
	}
	text := d.Text
	switch err := reader.Read(&more); {
	case err == nil:
		return nil, fmt.Errorf("%s: expected one text, got several files, such as %s and %s", name, d.ID, more.ID)
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return text, nil
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
