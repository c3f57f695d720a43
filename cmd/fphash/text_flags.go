package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/dedup/source"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
	"simhashkit/internal/decompress"
	"simhashkit/internal/english"
	"simhashkit/textsketch"
)

// textFlags define how texts are read, and their features.
type textFlags struct {
	format, text, id string
	charset          string
	weighing         weighingFlags
	whole            bool // a text without features counts as one feature
	changed          func(flag string) bool
}

// textNames are the flags that apply only to texts.
var textNames = []string{"documents", "text", "id", "charset", "features", "table", "word-weights"}

func (f *textFlags) register(flags *pflag.FlagSet) {
	suggestion(flags, &f.format, "documents", "", "`FORMAT` of the texts: %s", documents.Formats())
	flags.StringVar(&f.text, "text", "", "`FIELD` that holds the text (default \""+documents.DefaultText+"\", or detected)")
	flags.StringVar(&f.id, "id", "", "`FIELD` that holds the id (default \"id\"; without it, the record number)")
	flags.StringVar(&f.charset, "charset", "", charsetUsage)
	suggestion(flags, &f.weighing.features, "features", "", featuresUsage, featureKinds)
	f.changed = flags.Changed
}

// registerWeights adds the flags that define the weights of features.
func (f *textFlags) registerWeights(flags *pflag.FlagSet) {
	flags.StringVar(&f.weighing.table, "table", "", "document frequencies for --weights tfidf: a file of fphash data frequencies, or zh (built in)")
	flags.StringVar(&f.weighing.list, "word-weights", "", "weights for --weights hand: a file with a word, a tab and a weight per line")
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
			return fmt.Errorf("--%s requires vectors, but the input has documents", name)
		}
	}
	if f.changed("weights") {
		f.weighing.scheme = weights
	}
	return f.weighing.check()
}

// follow sets the features and weights to those of an index, unless flags define them.
func (f *textFlags) follow(made string) {
	features, scheme, _ := strings.Cut(made, "; ")
	if weights.Scheme(scheme).Check() == nil && !f.changed("features") && !f.changed("weights") && !f.changed("table") && !f.changed("word-weights") {
		f.weighing.features, f.weighing.scheme = features, scheme
	}
}

// sketcher returns the Sketcher of the texts, and lets seen count their languages.
func (f *textFlags) sketcher(ctx context.Context, hash hasher, seen *languagesSeen) (*textsketch.Sketcher, error) {
	analyzer, o, err := f.weighing.load(ctx)
	if err != nil {
		return nil, err
	}
	options := textsketch.Options{Text: analyzer.Options(), Weights: o, Whole: f.whole || source.AreFeaturesOfSpec(f.weighing.features)}
	switch h := hash.(type) {
	case *fphash.Sketcher:
		options.Hash = h
	case *conventions.Sketcher:
		options.Convention = h
		options.OwnFeatures = h.Convention().HasTexts() && !f.changed("features") && !f.changed("weights")
	}
	if !options.OwnFeatures && !source.AreFeaturesOfSpec(f.weighing.features) {
		seen.watches(analyzer.Options())
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
		if err := weights.Scheme(f.scheme).Check(); err != nil {
			return fmt.Errorf("--weights: %w", err)
		}
	}
	scheme := weights.Scheme(f.scheme)
	switch {
	case f.table != "" && f.scheme != "" && scheme != weights.TFIDF:
		return fmt.Errorf("--table requires --weights tfidf, got %s", scheme)
	case f.list != "" && f.scheme != "" && scheme != weights.ByHand:
		return fmt.Errorf("--word-weights requires --weights hand, got %s", scheme)
	case f.list != "" && f.table != "":
		return fmt.Errorf("--word-weights cannot be combined with --table")
	case f.list == "" && scheme == weights.ByHand:
		return errors.New("--weights hand requires --word-weights, a file with the weights")
	}
	return nil
}

// load returns the analyzer of the features and their weights.
func (f *weighingFlags) load(ctx context.Context) (*text.Analyzer, weights.Options, error) {
	f.setDefaults()
	o := weights.Options{Scheme: weights.Scheme(f.scheme)}
	if o.Scheme == weights.TFIDF && f.table == "" {
		return nil, o, errors.New("--weights tfidf requires --table, a file that fphash data frequencies writes")
	}
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

// setDefaults sets the defaults of flags, except for features that a table may define.
func (f *weighingFlags) setDefaults() {
	switch {
	case f.scheme != "":
	case f.list != "":
		f.scheme = string(weights.ByHand)
	case f.table != "":
		f.scheme = string(weights.TFIDF)
	default:
		f.scheme = string(weights.Count)
	}
	if f.features == "" && f.table == chineseTable {
		f.features = "words,lang=zh,nfkc,fold" // the words of the table
	}
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

// languagesSeen examines this many texts, and this many bytes at the beginning of each.
const (
	seenTexts = 1000
	seenBytes = 4 << 10
)

// languagesSeen counts the languages of texts if --features does not define the language. It is
// safe for concurrent use.
type languagesSeen struct {
	mutex sync.Mutex
	on    bool
	texts int
	by    map[string]int // texts by language
}

// watches starts to count the languages of texts, unless the features define the language.
func (l *languagesSeen) watches(o text.Options) {
	if o.Features == text.Words && o.Language == text.Auto {
		l.on, l.texts, l.by = true, 0, map[string]int{}
	}
}

// watch returns a reader of the same documents that counts their languages.
func (l *languagesSeen) watch(r documents.Reader) documents.Reader {
	if !l.on {
		return r
	}
	return &watchedReader{r, l}
}

type watchedReader struct {
	documents.Reader
	seen *languagesSeen
}

func (w *watchedReader) Read(d *documents.Document) error {
	err := w.Reader.Read(d)
	if err == nil {
		w.seen.note(d.Text)
	}
	return err
}

func (l *languagesSeen) note(document []byte) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.texts == seenTexts {
		return
	}
	l.texts++
	l.by[text.Language(document[:min(len(document), seenBytes)])]++
}

// String returns the counts in a sentence, or "" if all texts have spaces between words.
func (l *languagesSeen) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var parts []string
	dictionary := ""
	if n := l.by["zh"]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d %s Chinese", n, english.Plural(n, "is", "are")))
		dictionary = " (lang=zh in --features: Chinese by dictionary)"
	}
	if n := l.by["ja"]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d %s Japanese", n, english.Plural(n, "is", "are")))
	}
	if len(parts) == 0 {
		return ""
	}
	of := english.Count(l.texts, "text")
	if l.texts == seenTexts {
		of = "the first " + of
	}
	return fmt.Sprintf("of %s %s, where every two neighbouring characters count as a word%s", of, strings.Join(parts, " and "), dictionary)
}
