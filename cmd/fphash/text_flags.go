package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	_ "simhashkit/datasets/columnar" // for documents in Parquet
	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
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
	changed          func(flag string) bool
	seen             languagesSeen // of the texts that got fingerprints
	missing          documents.Missing
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

// of returns the flags with other fields, to read the texts again.
func (f *textFlags) of(fields textFields) *textFlags {
	return &textFlags{format: f.format, charset: f.charset, text: fields.text, id: fields.id, weighing: f.weighing, changed: f.changed}
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
	if _, err := weights.ParseScheme(scheme); err == nil && !f.changed("features") && !f.changed("weights") && !f.changed("table") && !f.changed("word-weights") {
		f.weighing.features, f.weighing.scheme = features, scheme
	}
}

// options returns the options for reading texts. onError is called for texts that are left out; if
// it is nil, the first unreadable text is an error.
func (f *textFlags) options(onError func(error)) documents.Options {
	return documents.Options{Format: f.format, Charset: f.charset, Text: f.text, ID: f.id, OnError: onError}
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
	if !options.OwnFeatures && !areSpecFeatures(f.weighing.features) {
		f.seen.choiceOf(analyzer)
	}
	return textsketch.New(options)
}

// orKeepGoing adds a hint about --keep-going to the error of a text.
func orKeepGoing(err error) error {
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
		if _, err := weights.ParseScheme(f.scheme); err != nil {
			return fmt.Errorf("--weights: %w", err)
		}
	}
	scheme := weights.Scheme(f.scheme)
	switch {
	case f.table != "" && f.scheme != "" && !scheme.NeedsIDF():
		return fmt.Errorf("--table requires --weights tfidf or log-tfidf, got %s", scheme)
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
	if o.Scheme.NeedsIDF() && f.table == "" {
		return nil, o, fmt.Errorf("--weights %s requires --table, a file that fphash data frequencies writes", o.Scheme)
	}
	var table *weights.Table
	var err error
	switch {
	case f.table == chineseTable:
		o.IDF, err = chineseIDF()
	case f.table != "":
		if table, err = readWeights(ctx, "--table", f.table, weights.Read); err == nil && f.features == "" {
			f.features = table.Definition()
		}
		o.IDF = table
	case o.Scheme == weights.ByHand:
		o.List, err = readWeights(ctx, "--word-weights", f.list, weights.ReadList)
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

// readWeights reads a file of weights, plain or compressed.
func readWeights[T any](ctx context.Context, flag, path string, read func(r io.Reader, name string) (*T, error)) (of *T, err error) {
	file, err := decompress.Open(ctx, path)
	if err == nil {
		of, err = read(file, path)
		file.Close()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", flag, err)
	}
	return of, err
}

// setDefaults sets the defaults of flags, except for features that a table defines.
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
	switch {
	case f.features != "":
	case f.table == chineseTable:
		f.features = "words,lang=zh,nfkc,fold" // the words of the table
	case f.table == "":
		f.features = usualFeatures
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

// open opens the documents of one or more files, or of a folder.
func (f *textFlags) open(ctx context.Context, args []string, options documents.Options, notice func(string)) (documents.Reader, error) {
	if !f.several(args) {
		return documents.Open(ctx, args[0], options)
	}
	if slices.Contains(args, documents.StandardInput) {
		return nil, errors.New("-: standard input cannot be combined with files")
	}
	paths, format, err := f.expandAll(args, notice)
	if err != nil {
		return nil, err
	}
	if options.Format = format; len(paths) > 1 {
		options.Want = nil // Want counts the records of a single file
	}
	reader, err := documents.OpenAll(ctx, paths, options)
	if err == nil && len(paths) > 1 && format != documents.Files {
		reader = locationIDs{reader}
	}
	return reader, err
}

// read returns a reader of the same documents that counts their languages and what they lack.
func (f *textFlags) read(r documents.Reader) documents.Reader {
	return f.seen.watch(f.missing.Watch(r))
}

// reportMissing prints how many documents have had no text or no id, or an id that is not read,
// since the last call.
func (f *textFlags) reportMissing(stderr io.Writer) {
	if f.changed("id") { // the user asked for record numbers
		f.missing.OtherIDs = 0
	}
	for _, sentence := range f.missing.Take() {
		fmt.Fprintln(stderr, "fphash:", sentence)
	}
}

// report prints what the readers have counted.
func (f *textFlags) report(stderr io.Writer) {
	f.reportMissing(stderr)
	if said := f.seen.String(); said != "" {
		fmt.Fprintln(stderr, "fphash:", said)
	}
}

// withoutFields reports whether --documents names a format without fields.
func (f *textFlags) withoutFields() bool {
	return slices.Contains([]string{documents.Lines, documents.Files, documents.Tar}, f.format)
}

// locationIDs uses file and line as the id of documents without an id.
type locationIDs struct{ documents.Reader }

func (p locationIDs) Read(d *documents.Document) error {
	err := p.Reader.Read(d)
	if err == nil && (len(d.ID) == 0 || d.MadeUp) {
		d.ID, d.MadeUp = fmt.Appendf(nil, "%s:%d", d.File, d.Line), true
	}
	return err
}

// several reports whether the arguments mean several files that are read one after the other.
func (f *textFlags) several(args []string) bool {
	if len(args) != 1 {
		return len(args) > 1
	}
	info, err := os.Stat(args[0])
	if err != nil {
		return strings.ContainsAny(args[0], "*?[")
	}
	return info.IsDir() && (f.text != "" || f.id != "" || !slices.Contains([]string{"", documents.Auto, documents.Files}, f.format))
}

// expandAll returns the files of several patterns and their format. If the patterns are folders
// whose files are one document each, the format is documents.Files.
func (f *textFlags) expandAll(patterns []string, notice func(string)) (paths []string, format string, err error) {
	var folder, other string
	var all []string
	for _, pattern := range patterns {
		found, err := f.expand(pattern, notice)
		if err != nil {
			return nil, "", err
		}
		if info, err := os.Stat(found[0]); err == nil && info.IsDir() {
			folder = pattern
		} else {
			other = pattern
		}
		all = append(all, found...)
	}
	format = f.format
	if folder != "" && format != documents.Files {
		if other != "" {
			return nil, "", fmt.Errorf("each file of %s is one document, but %s is another kind of input: give --documents for both, or read them separately", folder, other)
		}
		format = documents.Files
	}
	paths, err = documents.Expand(all)
	if folder == "" && len(patterns) > 1 { // for a single pattern, expand prints it
		f.noticeLines(paths, patterns[0]+" to "+patterns[len(patterns)-1], notice)
	}
	return paths, format, err
}

// expand returns the files of a pattern, or its folders if each of their files is one document. If
// the flags do not define whether a file or a line is a document, expand prints what it assumes.
func (f *textFlags) expand(pattern string, notice func(string)) ([]string, error) {
	files, err := documents.Expand([]string{pattern})
	if err != nil {
		return nil, err
	}
	folders := foldersOf(pattern)
	auto := f.format == "" || f.format == documents.Auto
	switch {
	case !f.wholeFiles(files) || len(folders) == 0:
		f.noticeLines(files, "of "+pattern, notice)
		return files, nil
	case auto && len(files) == 1:
		notice(fmt.Sprintf("the only file of %s is one document; if each line is a document, use --documents lines", pattern))
	case auto:
		notice(fmt.Sprintf("each of the %d files of %s is one document; if each line is a document, use --documents lines", len(files), pattern))
	}
	return folders, nil
}

// foldersOf returns the folders that a pattern names, or nil if it names anything else.
func foldersOf(pattern string) []string {
	paths := []string{pattern}
	if _, err := os.Stat(pattern); err != nil {
		if paths, err = filepath.Glob(pattern); err != nil || strings.Contains(pattern, "**") {
			return nil
		}
	}
	if slices.ContainsFunc(paths, func(path string) bool { info, err := os.Stat(path); return err != nil || !info.IsDir() }) {
		return nil
	}
	return paths
}

// wholeFiles reports whether each file of a folder is one document. Without --documents and flags
// that name fields, this is so if the name of any file does not have the extension of a format with
// many documents, such as .jsonl.
func (f *textFlags) wholeFiles(files []string) bool {
	switch f.format {
	case documents.Files:
		return true
	case "", documents.Auto:
		return f.text == "" && f.id == "" && slices.ContainsFunc(files, func(file string) bool { return !documents.HasRecords(file) })
	}
	return false
}

// noticeLines prints a notice if lines were assumed to be documents because of the names of files.
func (f *textFlags) noticeLines(files []string, which string, notice func(string)) {
	if f.format != "" && f.format != documents.Auto || f.text != "" || f.id != "" || len(files) == 1 {
		return
	}
	ofLines := slices.DeleteFunc(slices.Clone(files), documents.HasRecords)
	switch len(ofLines) {
	case 0:
	case len(files):
		notice(fmt.Sprintf("each line of the %d files %s is one document; if each file is a document, use --documents files", len(files), which))
	case 1:
		notice(fmt.Sprintf("each line of %s is one document, in addition to the documents of the other files %s", ofLines[0], which))
	default:
		notice(fmt.Sprintf("each line of %d files %s is one document (such as %s), in addition to the documents of the others", len(ofLines), which, ofLines[0]))
	}
}

// languagesSeen examines this many texts, and this many bytes at the beginning of each.
const (
	seenTexts = 1000
	seenBytes = 4 << 10
)

// languagesSeen counts the detected languages of texts if --features does not define the language.
// It is safe for concurrent use.
type languagesSeen struct {
	mutex    sync.Mutex
	analyzer *text.Analyzer // nil if it does not detect languages
	texts    int
	by       map[text.Choice]int // texts by language, and whether a dictionary found the words
}

// choiceOf starts to count the languages that an Analyzer detects. It does nothing if the language
// is fixed.
func (l *languagesSeen) choiceOf(analyzer *text.Analyzer) {
	o := analyzer.Options()
	if o.Features == text.Words && (o.Language == text.Auto || strings.HasPrefix(o.Language, text.Auto+"+")) {
		l.analyzer, l.texts, l.by = analyzer.Clone(), 0, map[text.Choice]int{}
	}
}

// watch returns a reader of the same documents that counts their languages.
func (l *languagesSeen) watch(r documents.Reader) documents.Reader {
	if l.analyzer == nil {
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
	c := l.analyzer.Choose(document[:min(len(document), seenBytes)])
	l.texts++
	l.by[text.Choice{Language: c.Language, ByWords: c.ByWords}]++
}

// String returns the counts in a sentence, or "" if all texts have spaces between words.
func (l *languagesSeen) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.analyzer == nil {
		return ""
	}
	var parts, byPairs []string
	is := func(n int, language string) string {
		return fmt.Sprintf("%d %s %s", n, english.Plural(n, "is", "are"), language)
	}
	if n := l.by[text.Choice{Language: "zh", ByWords: true}]; n > 0 {
		parts = append(parts, is(n, "Chinese")+", cut into words by dictionary")
	}
	dictionary := ""
	if n := l.by[text.Choice{Language: "zh"}]; n > 0 {
		byPairs = append(byPairs, is(n, "Chinese"))
		dictionary = " (lang=" + l.analyzer.Options().Language + "+zh in --features: Chinese by dictionary)"
	}
	if n := l.by[text.Choice{Language: "ja"}]; n > 0 {
		byPairs = append(byPairs, is(n, "Japanese"))
	}
	if len(byPairs) > 0 {
		parts = append(parts, strings.Join(byPairs, " and ")+", where every two neighbouring characters count as a word"+dictionary)
	}
	if len(parts) == 0 {
		return ""
	}
	of := english.Count(l.texts, "text")
	if l.texts == seenTexts {
		of = "the first " + of
	}
	return fmt.Sprintf("of %s %s", of, strings.Join(parts, "; "))
}
