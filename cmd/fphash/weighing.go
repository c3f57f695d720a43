package main

import (
	"context"
	"errors"
	"fmt"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
)

// chineseTable is the value of --table for the built-in table.
const chineseTable = "zh"

// usualFeatures are the default features of texts.
const usualFeatures = "words"

const featuresUsage = "%s, with options: words,n=2,fold"

var featureKinds = []string{text.Words, text.Characters, text.Bytes}

// featuresHelp explains what --features takes.
const featuresHelp = `--features takes words, characters or bytes, followed by options: n=3 (runs of three),
nfkc (Unicode normalization), fold (ignore case), lang=auto, en, ... (the language of
words; lang=zh needs a tool built with -tags dictionaries), stop (drop stop words), stem.`

// weighingFlags define the features of texts and their weights.
type weighingFlags struct {
	features    string
	scheme      string
	table, list string
}

// check refuses contradicting flags before any file is read.
func (f *weighingFlags) check() error {
	if f.scheme != "" {
		if _, err := weights.ParseScheme(f.scheme); err != nil {
			return fmt.Errorf("--weights: %w", err)
		}
	}
	scheme := weights.Scheme(f.scheme)
	switch {
	case f.table != "" && f.scheme != "" && !scheme.NeedsIDF():
		return fmt.Errorf("--table %s with --weights %s: expected tfidf or log-tfidf", f.table, scheme)
	case f.list != "" && f.scheme != "" && scheme != weights.ByHand:
		return fmt.Errorf("--word-weights %s with --weights %s: expected hand", f.list, scheme)
	case f.list != "" && f.table != "":
		return fmt.Errorf("--word-weights %s and --table %s: expected one of them", f.list, f.table)
	case f.list == "" && scheme == weights.ByHand:
		return errors.New("--weights hand: expected --word-weights with the weights")
	}
	return nil
}

// settle sets the defaults, except for features that a table defines.
func (f *weighingFlags) settle() {
	switch {
	case f.scheme != "":
	case f.list != "":
		f.scheme = string(weights.ByHand)
	case f.table != "":
		f.scheme = string(weights.TFIDF)
	default:
		f.scheme = string(weights.Count)
	}
	switch {
	case f.features != "":
	case f.table == chineseTable:
		f.features = "words,lang=zh,nfkc,fold" // whose words are those of the table
	case f.table == "":
		f.features = usualFeatures
	}
}

// load returns the analyzer of the features and their weights.
func (f *weighingFlags) load(ctx context.Context) (*text.Analyzer, weights.Options, error) {
	f.settle()
	o := weights.Options{Scheme: weights.Scheme(f.scheme)}
	if o.Scheme.NeedsIDF() && f.table == "" {
		return nil, o, fmt.Errorf("--weights %s: expected --table with it, which fphash data frequencies makes of the documents", o.Scheme)
	}
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
	case o.Scheme == weights.ByHand:
		o.List, err = weights.LoadList(ctx, f.list, 0)
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
