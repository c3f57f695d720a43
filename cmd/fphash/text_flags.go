package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/fphash"
	"simhashkit/textsketch"
)

// textFlags say that the input is documents, how they are read, and what their features are.
type textFlags struct {
	format, text, id, features string
	changed                    func(flag string) bool
}

// textNames are the flags of documents.
var textNames = []string{"documents", "text", "id", "features"}

func (f *textFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.format, "documents", "", "the input is texts, in this format: "+joined(documents.Formats()))
	flags.StringVar(&f.text, "text", "", "field that holds the text of a document (default \""+documents.DefaultText+"\" where there are fields)")
	flags.StringVar(&f.id, "id", "", "field that holds the id of a document (default its number)")
	flags.StringVar(&f.features, "features", "words", `features of texts: words, characters or bytes, and options, as in "words,n=2,lang=en,nfkc,fold,stop,stem"`)
	f.changed = flags.Changed
}

// given reports whether the input is documents: any of the flags says so.
func (f *textFlags) given() bool {
	for _, name := range textNames {
		if f.changed(name) {
			return true
		}
	}
	return false
}

// refuseVectors returns which flag is of vectors alone, and has no place beside documents.
func (f *textFlags) refuseVectors() error {
	for _, name := range []string{"base", "weights"} {
		if f.changed(name) {
			return fmt.Errorf("--%s: expected only with vectors, and the input is documents", name)
		}
	}
	return nil
}

// options returns how documents are read; onError is told of those that are left out, nil if the
// first one that cannot be read is to end the work.
func (f *textFlags) options(onError func(error)) documents.Options {
	return documents.Options{Format: f.format, Text: f.text, ID: f.id, OnError: onError}
}

// sketcher returns what makes fingerprints of texts.
func (f *textFlags) sketcher(hash *fphash.Sketcher) (*textsketch.Sketcher, error) {
	features, err := text.ParseOptions(f.features)
	if err != nil {
		return nil, fmt.Errorf("--features %s: %w", f.features, err)
	}
	return textsketch.New(textsketch.Options{Text: features, Hash: hash})
}

// open opens a file of documents, or standard input if there is no name.
func (f *textFlags) open(ctx context.Context, name string, stdin io.Reader, onError func(error)) (documents.Reader, error) {
	if isStdin(name) {
		return documents.NewReader(ctx, stdin, "standard input", f.options(onError))
	}
	return documents.Open(ctx, name, f.options(onError))
}
