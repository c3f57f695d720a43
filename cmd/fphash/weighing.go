package main

import (
	"context"
	"fmt"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
)

// usual is what a command takes where the flags leave it open.
type usual struct {
	features string
	scheme   weights.Scheme
	table    string // where neither features nor weights are asked for
}

// settle fills in what the flags leave open, except for features that a table defines.
func (f *weighingFlags) settle(u usual) {
	if f.features == "" && f.scheme == "" && f.table == "" && f.list == "" {
		f.table = u.table
	}
	switch {
	case f.scheme != "":
	case f.list != "":
		f.scheme = string(weights.ByHand)
	case f.table != "":
		f.scheme = string(weights.TFIDF)
	default:
		f.scheme = string(u.scheme)
	}
	switch {
	case f.features != "":
	case f.table == chineseTable:
		f.features = "words,lang=zh,nfkc,fold" // whose words are those of the table
	case f.table == "":
		f.features = u.features
	}
}

// weigh finds the features of the files, and returns what weighs them.
func (f *weighingFlags) weigh(ctx context.Context, files []textFile, u usual) (*weights.Weigher, error) {
	analyzer, o, err := f.load(ctx, u)
	if err != nil {
		return nil, err
	}
	for i := range files {
		files[i].features = cloned(analyzer.Append(nil, files[i].text))
	}
	if o.Scheme.NeedsIDF() && o.IDF == nil {
		if o.IDF, err = f.among(files); err != nil {
			return nil, err
		}
	}
	return weights.New(o)
}

// load returns what the flags ask for: the features, and their weights, without an IDF where no
// table was named.
func (f *weighingFlags) load(ctx context.Context, u usual) (*text.Analyzer, weights.Options, error) {
	f.settle(u)
	o := weights.Options{Scheme: weights.Scheme(f.scheme), Window: f.window, Top: f.top}
	var table *weights.Table
	var err error
	switch {
	case f.table == chineseTable:
		o.IDF, err = chineseIDF()
	case f.table != "":
		if table, err = weights.Load(ctx, f.table); err == nil && f.features == "" {
			f.features = table.Definition()
		}
		o.IDF = table
	}
	if err == nil && o.Scheme == weights.ByHand {
		o.List, err = weights.LoadList(ctx, f.list, f.other)
	}
	if err != nil {
		return nil, o, err
	}
	analyzer, err := analyzerOf(f.features)
	if err == nil && table != nil {
		if err = table.Check(analyzer.Options().String()); err != nil {
			err = fmt.Errorf("%s: %w", f.table, err)
		}
	}
	return analyzer, o, err
}

func analyzerOf(definition string) (*text.Analyzer, error) {
	options, err := text.ParseOptions(definition)
	if err != nil {
		return nil, fmt.Errorf("--features: %w", err)
	}
	analyzer, err := text.New(options)
	if err != nil {
		return nil, fmt.Errorf("--features: %w", err)
	}
	return analyzer, nil
}

// among returns the document frequencies of the files.
func (f *weighingFlags) among(files []textFile) (weights.IDF, error) {
	if len(files) < 2 {
		return nil, fmt.Errorf("--weights %s: expected --table, or several files to count in how many each feature is", f.scheme)
	}
	b := weights.NewBuilder(f.features, 0)
	for _, file := range files {
		b.Add(file.features)
	}
	return b.Table(), nil
}

// how says by what features were weighed.
func (f *weighingFlags) how() string {
	switch {
	case f.list != "":
		return "the weights of " + f.list
	case f.table == chineseTable:
		return f.scheme + " with the built-in table of Chinese words"
	case f.table != "":
		return f.scheme + " with " + f.table
	case weights.Scheme(f.scheme).NeedsIDF():
		return f.scheme + " among these files"
	}
	return f.scheme
}

// cloned returns features that stay as they are when their Analyzer goes on.
func cloned(features [][]byte) [][]byte {
	return weights.Vector{Features: features}.Clone().Features
}
