package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"simhashkit/datasets"
	_ "simhashkit/datasets/columnar" // for documents in Parquet
	"simhashkit/datasets/documents"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
	"simhashkit/textsketch"
)

// textFlags define how texts are read, and their features.
type textFlags struct {
	format, text, id string
	weighing         weighingFlags
	changed          func(flag string) bool
	seen             languagesSeen // by those who make fingerprints
}

// textsNeed is the end of error messages about texts where vectors are expected.
const textsNeed = "texts need --text, the field they are in, or --documents, as in --documents tar"

// mayBeText reports whether an error says that the input does not start with a vector.
func mayBeText(err error) bool {
	var syntax *datasets.SyntaxError
	var none *datasets.NotVectorsError
	return errors.As(err, &syntax) && syntax.NoVector || errors.As(err, &none)
}

// textNames are the flags that apply only to texts.
var textNames = []string{"documents", "text", "id", "features", "table", "word-weights"}

func (f *textFlags) register(flags *pflag.FlagSet) {
	suggestion(flags, &f.format, "documents", "", "`FORMAT` of the texts: %s", documents.Formats())
	flags.StringVar(&f.text, "text", "", "`FIELD` of the text (default \""+documents.DefaultText+"\")")
	flags.StringVar(&f.id, "id", "", "`FIELD` of the id (default \"id\", or a number)")
	suggestion(flags, &f.weighing.features, "features", "", featuresUsage, featureKinds)
	f.changed = flags.Changed
}

// of returns the flags with other fields, to read the texts again.
func (f *textFlags) of(fields textFields) *textFlags {
	return &textFlags{format: f.format, text: fields.text, id: fields.id, weighing: f.weighing, changed: f.changed}
}

// registerWeights adds the flags of weights of features.
func (f *textFlags) registerWeights(flags *pflag.FlagSet) {
	flags.StringVar(&f.weighing.table, "table", "", "document frequencies for --weights tfidf: a file of fphash data frequencies, or zh (built in)")
	flags.StringVar(&f.weighing.list, "word-weights", "", "weights for --weights hand: a file with a word, a tab and a weight a line")
	namesInput(flags, "table", "word-weights")
}

// given reports whether a flag says that the input is texts.
func (f *textFlags) given() bool {
	for _, name := range textNames {
		if f.changed(name) {
			return true
		}
	}
	return false
}

// take sets the weights of texts, and refuses flags that apply only to vectors.
func (f *textFlags) take(weights string) error {
	for _, name := range []string{"base", "max-line"} {
		if f.changed(name) {
			return fmt.Errorf("--%s: expected only with vectors, and the input is documents", name)
		}
	}
	if f.changed("weights") {
		f.weighing.scheme = weights
	}
	return f.weighing.check()
}

// options returns how texts are read. onError is called for texts that are left out; if it is nil,
// the first unreadable text is an error.
func (f *textFlags) options(onError func(error)) documents.Options {
	return documents.Options{Format: f.format, Text: f.text, ID: f.id, OnError: onError}
}

// sketcher returns the Sketcher of the texts.
func (f *textFlags) sketcher(ctx context.Context, hash hasher, whole bool) (*textsketch.Sketcher, error) {
	analyzer, o, err := f.weighing.load(ctx)
	if err != nil {
		return nil, err
	}
	options := textsketch.Options{Text: analyzer.Options(), Weights: o, Whole: whole}
	switch h := hash.(type) {
	case *fphash.Sketcher:
		options.Hash = h
	case *conventions.Sketcher:
		options.Convention = h
		options.OwnFeatures = h.Convention().HasTexts() && !f.changed("features") && !f.changed("weights")
	}
	if !options.OwnFeatures && f.weighing.features != specFeatures {
		f.seen.choiceOf(analyzer)
	}
	return textsketch.New(options)
}

// follow sets the features and weights to those of an index, unless flags define them.
func (f *textFlags) follow(made string) {
	features, scheme, _ := strings.Cut(made, "; ")
	if _, err := weights.ParseScheme(scheme); err == nil && !f.changed("features") && !f.changed("weights") && !f.changed("table") && !f.changed("word-weights") {
		f.weighing.features, f.weighing.scheme = features, scheme
	}
}

// orKeepGoing adds a hint at --keep-going to the error of a text.
func orKeepGoing(err error) error {
	var bad documents.RecordError
	if !errors.As(err, &bad) {
		return err
	}
	return fmt.Errorf("%w; --keep-going reports such documents and leaves them out", err)
}
