package pipeline

import (
	"context"
	"fmt"

	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/datasets/text/weights/zhidf"
	"simhashkit/fphash"
	"simhashkit/textsketch"
)

// Texts says how documents are read and which fingerprints they have. It goes to the workers as
// JSON, and each reads the files that it names.
type Texts struct {
	Format, Text, ID string // as those of documents.Options
	KeepGoing        bool   // leave out documents that cannot be read

	Features    string // "" is that of the table, or words
	Scheme      string // of weights; "" is what the files below ask for, or count
	Table, List string // files of document frequencies and of weights by hand; the table may be ChineseTable
	Definition  string // of package fphash, with its key
	Workers     int    // goroutines for a file; 0 is GOMAXPROCS
}

// ChineseTable is the table of document frequencies that is built in.
const ChineseTable = "zh"

// Sketcher returns what computes the fingerprints.
func (t Texts) Sketcher(ctx context.Context) (*textsketch.Sketcher, error) {
	definition, err := fphash.ParseDefinition(t.Definition)
	if err != nil {
		return nil, err
	}
	hash, err := fphash.New(fphash.WithDefinition(definition), fphash.WithWorkers(1))
	if err != nil {
		return nil, err
	}
	o, table, err := t.weights(ctx)
	if err != nil {
		return nil, err
	}
	features := t.Features
	switch {
	case features != "":
	case t.Table == ChineseTable:
		features = "words,lang=zh,nfkc,fold" // whose words are those of the table
	case table != nil:
		features = table.Definition()
	default:
		features = text.Words
	}
	options, err := text.ParseOptions(features)
	if err != nil {
		return nil, fmt.Errorf("--features: %w", err)
	}
	analyzer, err := text.New(options)
	if err != nil {
		return nil, fmt.Errorf("--features: %w", err)
	}
	if table != nil {
		if err := table.Check(analyzer.Options().String()); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Table, err)
		}
	}
	return textsketch.New(textsketch.Options{Text: analyzer.Options(), Weights: o, Hash: hash})
}

// weights returns how features are weighed, and the table if a file has it.
func (t Texts) weights(ctx context.Context) (o weights.Options, table *weights.Table, err error) {
	o.Scheme = weights.Scheme(t.Scheme)
	if t.Scheme == "" {
		switch {
		case t.List != "":
			o.Scheme = weights.ByHand
		case t.Table != "":
			o.Scheme = weights.TFIDF
		}
	}
	switch {
	case t.Table == ChineseTable:
		o.IDF, err = zhidf.List()
	case t.Table != "":
		if table, err = weights.Load(ctx, t.Table); err == nil {
			o.IDF = table
		}
	case o.Scheme.NeedsIDF():
		err = fmt.Errorf("--weights %s: expected --table with it, which fphash data frequencies makes of the documents", o.Scheme)
	}
	if err == nil && t.List != "" {
		o.List, err = weights.LoadList(ctx, t.List, 0)
	}
	return o, table, err
}

// options returns how documents are read; report is told of those that are left out.
func (t Texts) options(report func(error)) documents.Options {
	o := documents.Options{Format: t.Format, Text: t.Text, ID: t.ID}
	if t.KeepGoing {
		o.OnError = report
	}
	return o
}

// AddUp returns why fingerprints of parts of a document do not add up to that of the document, if
// they do not.
func (t Texts) AddUp(ctx context.Context) error {
	sketcher, err := t.Sketcher(ctx)
	if err != nil {
		return err
	}
	return sketcher.Local().Accumulate(sketcher.Accumulator(), nil)
}
