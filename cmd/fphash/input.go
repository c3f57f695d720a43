package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/datasets"
	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/dedup/source"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/decompress"
	"simhashkit/internal/docformat"
	"simhashkit/internal/docsketch"
	"simhashkit/internal/similarity"
	"simhashkit/textsketch"
)

// inputFlags are the flags that define how records are read and how their fingerprints are
// computed.
type inputFlags struct {
	vectorReading
	texts      textFlags
	definition definitionFlags
	weights    string
	keepGoing  bool
	workers    int
	changed    func(flag string) bool
}

// definitionNames are the flags that define fingerprints.
var definitionNames = []string{"hash", "sketch", "encoding", "bits", "widen", "seed", "key", "tie", "order", "convention"}

func (f *inputFlags) register(flags *pflag.FlagSet) {
	f.registerRecords(flags)
	f.texts.registerWeights(flags)
}

// registerRecords adds all flags except those for the weights of texts.
func (f *inputFlags) registerRecords(flags *pflag.FlagSet) {
	f.definition.register(flags)
	suggestion(flags, &f.weights, "weights", datasets.Float32, "weights of vectors (default f32) or of texts (default count)",
		append(datasets.WeightTypes(), namesOf(weights.Schemes())...))
	flags.Lookup("weights").DefValue = "" // the usage shows the defaults
	f.vectorReading.add(flags)
	f.texts.register(flags)
	keepGoingFlag(flags, &f.keepGoing)
	flags.Var(workers(&f.workers), "workers", "goroutines (default the number of cores)")
	f.changed = flags.Changed
}

// hints returns what the flags say about an input. Malformed records are printed.
func (f *inputFlags) hints(cmd *cobra.Command, p *progress) source.Hints {
	h := source.Hints{
		Texts: f.texts.given(), Format: f.texts.format, Text: f.texts.text, ID: f.texts.id, NoID: f.changed("id") && f.texts.id == "", Charset: f.texts.charset,
		Base: f.base, MaxLine: f.maxLine(), Stdin: cmd.InOrStdin(),
		Progress: p.reportStep,
	}
	if f.changed("bits") {
		h.Bits = f.definition.Bits
	}
	if f.keepGoing {
		h.OnError = func(err error) {
			p.clear()
			if keep := (source.KeepError{}); errors.As(err, &keep) {
				err = fmt.Errorf("fphash: --keep: %w", err)
			}
			fmt.Fprintln(cmd.ErrOrStderr(), err)
		}
	}
	return h
}

// open opens an input, and prints what was detected.
func (f *inputFlags) open(ctx context.Context, args []string, hints source.Hints, stderr io.Writer) (*source.Source, error) {
	s, err := source.Open(ctx, args, hints)
	if err != nil {
		return nil, err
	}
	if s.Kind == source.Fingerprints {
		computing := func(name string) bool { return name != "bits" && f.changed(name) }
		names := append([]string{"weights", "base", "max-line", "keep-going"}, definitionNames...)
		if err := refuse(computing, onlyFingerprints(s), names...); err != nil {
			_ = s.Close()
			return nil, err
		}
	}
	writeDetected(stderr, s, len(args) > 1)
	return s, nil
}

// onlyFingerprints is the reason to refuse flags for other records than those of a source.
func onlyFingerprints(s *source.Source) string {
	return fmt.Sprintf("requires texts or vectors; %s contains only fingerprints", s.Name)
}

// withFlags names the flag that helps in the error of a record or of a missing id.
func (f *inputFlags) withFlags(err error) error {
	if id := f.texts.id; err != nil && id != "" && strings.Contains(err.Error(), fmt.Sprintf("expected a column %q", id)) {
		return fmt.Errorf("%w; --id '' names the records by number", err)
	}
	return withFlags(err)
}

// writeDetected prints what a source has detected and assumed. Of a single folder, everybody
// expects that each file is a document.
func writeDetected(stderr io.Writer, s *source.Source, folders bool) {
	if s.TextFrom != "" {
		fmt.Fprintf(stderr, "fphash: the texts of %s are in the field %s\n", s.TextFrom, s.Text)
	}
	if s.MaybeCSV {
		fmt.Fprintln(stderr, "fphash: standard input is read as lines; if it is CSV, give --documents csv")
	}
	for _, u := range s.Units {
		text := ""
		switch {
		case u.Whole && !folders:
			continue
		case u.Whole && u.Files == 1:
			text = fmt.Sprintf("the only file of %s is one document; if each line is a document, use --documents lines", u.Paths)
		case u.Whole:
			text = fmt.Sprintf("each of the %d files of %s is one document; if each line is a document, use --documents lines", u.Files, u.Paths)
		case len(u.Lines) == u.Files:
			text = fmt.Sprintf("each line of the %d files of %s is one document; if each file is a document, use --documents files", u.Files, u.Paths)
		case len(u.Lines) == 1:
			text = fmt.Sprintf("each line of %s is one document, in addition to the documents of the other files of %s", u.Lines[0], u.Paths)
		default:
			text = fmt.Sprintf("each line of %d files of %s is one document (such as %s), in addition to the documents of the others", len(u.Lines), u.Paths, u.Lines[0])
		}
		fmt.Fprintln(stderr, "fphash:", text)
	}
}

// method returns the method that the flags define, with the definition and features of an index
// unless flags define them.
func (f inputFlags) method(ctx context.Context, kind source.Kind, index *indexfile.Info) (m source.Method, err error) {
	if kind == source.Fingerprints {
		return m, nil
	}
	m.Workers = f.workers
	followed := false
	if index != nil {
		followed, err = f.follow(*index)
	}
	switch {
	case err != nil:
	case kind == source.Texts:
		err = f.texts.take(f.weights)
	default:
		f.chooseLanes(followed)
	}
	if err == nil {
		m.Hash, err = f.definition.hasher(f.workers)
	}
	if err == nil {
		m.Weights, err = f.weightsFor(m.Hash)
	}
	switch {
	case err != nil:
	case kind == source.Texts:
		m.Texts, err = f.texts.sketcher(ctx, m.Hash)
	default:
		err = expectOneOf("--weights", m.Weights, datasets.WeightTypes())
	}
	return m, err
}

// follow sets the definition and the features to those of an index, unless flags specify others.
func (f *inputFlags) follow(info indexfile.Info) (followed bool, err error) {
	f.texts.follow(info.Features)
	if info.Definition == "" {
		return false, nil
	}
	if slices.ContainsFunc(definitionNames, func(name string) bool { return name != "key" && f.changed(name) }) {
		return false, nil
	}
	to, err := fphash.ParseDefinition(info.Definition)
	if err != nil {
		return false, err
	}
	to.Key = f.definition.Key
	f.definition.Definition = to
	return true, nil
}

// chooseLanes sets the lanes of vectors to the type of their weights. If the definition is that of
// an index, the weights get the type of its lanes, unless --weights chooses one.
func (f *inputFlags) chooseLanes(followed bool) {
	switch to := &f.definition; {
	case to.Convention != "" || to.Kind != fphash.SimHash:
	case followed && !f.changed("weights"):
		if !to.Float32 {
			f.weights = datasets.Float64
		}
	default:
		to.Float32 = f.weights == datasets.Float32
	}
}

// weightsFor returns the type of the weights of vectors. If --weights was not given, it depends on
// the hasher: a convention has the type of its system, and MinHash has no weights.
func (f *inputFlags) weightsFor(h source.Hasher) (string, error) {
	given := f.changed("weights")
	if system, ok := h.(*conventions.Sketcher); ok && !given {
		switch system.Convention().Weights {
		case "":
			return datasets.Unit, nil
		case "integers":
			return datasets.Int64, nil
		}
		return datasets.Float64, nil
	}
	switch {
	case h.Definition().Kind != fphash.MinHash:
		return f.weights, nil
	case !given:
		return datasets.Unit, nil
	case f.weights != datasets.Unit && f.weights != string(weights.Count):
		return "", fmt.Errorf("--weights %s cannot be combined with --sketch minhash, which takes sets", f.weights)
	}
	return f.weights, nil
}

// writeCounts prints what the texts of an input lack.
func writeCounts(stderr io.Writer, missing *docsketch.Missing) {
	for _, sentence := range missing.Take() {
		fmt.Fprintln(stderr, "fphash:", sentence)
	}
}

// definitionFlags are the flags that define a fingerprint.
type definitionFlags struct {
	fphash.Definition
	changed func(flag string) bool
}

func (d *definitionFlags) register(flags *pflag.FlagSet) {
	d.Definition = fphash.Definition{Hash: fphash.DefaultHash, Bits: 64}
	d.changed = flags.Changed
	suggestion(flags, &d.Hash, "hash", d.Hash, "hash function (see fphash kernels)", hashNames())
	enumeration(flags, &d.Kind, "sketch", "simhash (cosine) or minhash (Jaccard similarity)", sketchNames)
	enumeration(flags, &d.Encoding, "encoding", encodingUsage, encodingNames)
	flags.Var(widthOf(&d.Bits), "bits", fmt.Sprintf("width of the fingerprints, 1 to %d", fphash.MaxBits))
	enumeration(flags, &d.Widen, "widen", wideningUsage, wideningNames)
	flags.Uint64Var(&d.Seed, "seed", d.Seed, "seed of the hash")
	flags.BytesHexVar(&d.Key, "key", nil, "key of the hash in hexadecimal (highway64, highway128, highway256: 32 bytes; siphash: 16)")
	enumeration(flags, &d.Tie, "tie", "value of a bit whose sum is zero: %s", namesOf([]fphash.Tie{fphash.TieZero, fphash.TieOne, fphash.TieAlternate}))
	enumeration(flags, &d.Order, "order", "order in which floating-point weights are summed: %s", namesOf([]fphash.Order{fphash.Grouped, fphash.Sequential}))
	suggestion(flags, &d.Convention, "convention", "", "compute the fingerprints of another system (see fphash conventions), with its hash and rules", conventionNames())
}

// The names of the values of a definition.
var (
	encodingNames = namesOf([]fphash.Encoding{fphash.LE64, fphash.BE64, fphash.Dec})
	sketchNames   = namesOf([]fphash.Kind{fphash.SimHash, fphash.MinHash})
	wideningNames = namesOf([]fphash.Widen{fphash.WidenNone, fphash.WidenReseed, fphash.WidenCounter, fphash.WidenMix})
)

func hashNames() []string {
	var names []string
	for _, family := range fphash.Families() {
		names = append(names, family.Name)
	}
	return names
}

const (
	encodingUsage = "how indices become bytes for the hash: %s"
	wideningUsage = "how a hash is widened to more bits: %s"
)

// hasher returns the Sketcher of the definition or the convention.
func (d *definitionFlags) hasher(workers int) (source.Hasher, error) {
	if d.Convention == "" {
		return fphash.New(d.Definition, fphash.WithWorkers(workers))
	}
	if err := refuse(d.changed, "cannot be combined with --convention, which defines it", "hash", "sketch", "widen", "seed", "tie", "order"); err != nil {
		return nil, err
	}
	c, err := conventions.Lookup(d.Convention)
	if err != nil {
		return nil, err
	}
	c.Encoding = d.Encoding
	if d.changed("key") {
		c.Key = d.Key
	}
	if d.changed("bits") {
		c.Bits = d.Bits
	}
	return conventions.New(c)
}

// vectorReading has the flags for reading vectors.
type vectorReading struct {
	base    uint64
	longest uint32 // longest line in MiB
}

// add adds the flags.
func (r *vectorReading) add(flags *pflag.FlagSet) {
	flags.Uint64Var(&r.base, "base", 0, "subtract this from the indices of svmlight and vw")
	flags.Uint32Var(&r.longest, "max-line", 16, "longest line of svmlight and vw, in `MiB`")
}

// maxLine returns the length of the longest line in bytes.
func (r *vectorReading) maxLine() int { return int(min(uint64(r.longest)<<20, math.MaxInt)) }

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
	suggestion(flags, &f.format, "documents", "", "`FORMAT` of the texts: %s", docformat.Names())
	flags.StringVar(&f.text, "text", "", "`FIELD` that holds the text (default \""+docformat.DefaultText+"\", or detected)")
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
	options := textsketch.Options{Text: analyzer.Options(), Weights: o, Whole: f.whole || similarity.AreFeatures(f.features)}
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
