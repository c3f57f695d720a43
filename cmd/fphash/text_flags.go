package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/dedup/source"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
	"simhashkit/internal/decompress"
	"simhashkit/textsketch"
)

// textFlags define how texts are read, and their features.
type textFlags struct {
	format, text, id string
	charset          string
	features         string
	scheme           string // of the weights of features
	table, list      string // files of weights
	whole            bool   // a text without features counts as one feature
	changed          func(flag string) bool
}

// textNames are the flags that apply only to texts.
var textNames = []string{"documents", "text", "id", "charset", "features", "table", "word-weights"}

func (f *textFlags) register(flags *pflag.FlagSet) {
	suggestion(flags, &f.format, "documents", "", "`FORMAT` of the texts: %s", documents.Formats())
	flags.StringVar(&f.text, "text", "", "`FIELD` that holds the text (default \""+documents.DefaultText+"\", or detected)")
	flags.StringVar(&f.id, "id", "", "`FIELD` that holds the id (default \"id\"; without it, the record number)")
	flags.StringVar(&f.charset, "charset", "", charsetUsage)
	suggestion(flags, &f.features, "features", "", featuresUsage, featureKinds)
	f.changed = flags.Changed
}

// registerWeights adds the flags that define the weights of features.
func (f *textFlags) registerWeights(flags *pflag.FlagSet) {
	flags.StringVar(&f.table, "table", "", "document frequencies for --weights tfidf: a file of fphash data frequencies, or zh (built in)")
	flags.StringVar(&f.list, "word-weights", "", "weights for --weights hand: a file with a word, a tab and a weight per line")
}

// given reports whether a flag says that the input is texts.
func (f *textFlags) given() bool {
	return slices.ContainsFunc(textNames, f.changed)
}

// take sets the weights of texts, and refuses flags that apply only to vectors or contradict each
// other, before any file is read.
func (f *textFlags) take(given string) error {
	if err := refuse(f.changed, "requires vectors, but the input has documents", "base", "max-line"); err != nil {
		return err
	}
	switch {
	case f.changed("weights"):
		f.scheme = given
	case f.scheme != "": // of an index
	case f.list != "":
		f.scheme = string(weights.ByHand)
	case f.table != "":
		f.scheme = string(weights.TFIDF)
	default:
		f.scheme = string(weights.Count)
	}
	scheme := weights.Scheme(f.scheme)
	err := scheme.Check()
	switch {
	case err != nil:
		return fmt.Errorf("--weights: %w", err)
	case f.list != "" && f.table != "":
		return errors.New("--word-weights cannot be combined with --table")
	case f.table != "" && scheme != weights.TFIDF:
		return fmt.Errorf("--table requires --weights tfidf, got %s", scheme)
	case f.table == "" && scheme == weights.TFIDF:
		return errors.New("--weights tfidf requires --table, a file that fphash data frequencies writes")
	case f.list != "" && scheme != weights.ByHand:
		return fmt.Errorf("--word-weights requires --weights hand, got %s", scheme)
	case f.list == "" && scheme == weights.ByHand:
		return errors.New("--weights hand requires --word-weights, a file with the weights")
	}
	return nil
}

// follow sets the features and weights to those of an index, unless flags define them.
func (f *textFlags) follow(made string) {
	features, scheme, _ := strings.Cut(made, "; ")
	given := slices.ContainsFunc([]string{"features", "weights", "table", "word-weights"}, f.changed)
	if weights.Scheme(scheme).Check() == nil && !given {
		f.features, f.scheme = features, scheme
	}
}

// sketcher returns the Sketcher of the texts.
func (f *textFlags) sketcher(ctx context.Context, hash source.Hasher) (*textsketch.Sketcher, error) {
	analyzer, o, err := f.load(ctx)
	if err != nil {
		return nil, err
	}
	options := textsketch.Options{Text: analyzer.Options(), Weights: o, Whole: f.whole || source.AreFeaturesOfSpec(f.features)}
	switch h := hash.(type) {
	case *fphash.Sketcher:
		options.Hash = h
	case *conventions.Sketcher:
		options.Convention = h
		options.OwnFeatures = h.Convention().HasTexts() && !f.changed("features") && !f.changed("weights")
	}
	return textsketch.New(options)
}

// withFlags names the flag in the error of a record: --keep, or --keep-going as the remedy.
func withFlags(err error) error {
	if keep := (source.KeepError{}); errors.As(err, &keep) {
		return fmt.Errorf("--keep: %w", err)
	}
	var bad documents.RecordError
	if !errors.As(err, &bad) {
		return err
	}
	return fmt.Errorf("%w; --keep-going reports such documents and leaves them out", err)
}

// chineseTable is the value of --table that means the built-in table of Chinese words.
const chineseTable = "zh"

// usualFeatures are the default features of texts.
const usualFeatures = "words"

const charsetUsage = "encoding `NAME` of texts that are not UTF-8, such as latin1, gbk, utf-16"

const featuresUsage = "%s, with options: words,n=2,fold"

var featureKinds = []string{text.Words, text.Characters, text.Bytes}

// load returns the analyzer of the features and their weights.
func (f *textFlags) load(ctx context.Context) (*text.Analyzer, weights.Options, error) {
	o := weights.Options{Scheme: weights.Scheme(f.scheme)}
	var err error
	switch {
	case f.table == chineseTable:
		o.List, err = chineseIDF()
	case f.table != "":
		o.List, err = readWeights(ctx, "--table", f.table)
	case o.Scheme == weights.ByHand:
		o.List, err = readWeights(ctx, "--word-weights", f.list)
	}
	if err != nil {
		return nil, o, err
	}
	counted := ""
	if o.List != nil {
		counted = o.List.Definition()
	}
	if f.features == "" && f.table == chineseTable {
		f.features = "words,lang=zh,nfkc,fold" // the words of the table
	}
	f.features = cmp.Or(f.features, counted, usualFeatures)
	analyzer, err := analyzerOf(f.features)
	if err == nil && counted != "" && counted != analyzer.Options().String() {
		err = fmt.Errorf("%s: the table counts the features %q, but the texts have the features %q", f.table, counted, analyzer.Options())
	}
	return analyzer, o, err
}

// readWeights reads a file of weights, plain or compressed.
func readWeights(ctx context.Context, flag, path string) (list *weights.List, err error) {
	file, err := decompress.Open(ctx, path)
	if err == nil {
		list, err = weights.ReadList(file, path)
		file.Close()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", flag, err)
	}
	return list, err
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
