package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/datasets"
	"simhashkit/datasets/documents"
	textweights "simhashkit/datasets/text/weights"
	"simhashkit/dedup/source"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
	"simhashkit/fphash/index/indexfile"
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

func newInputFlags() inputFlags { return inputFlags{definition: newDefinitionFlags()} }

// definitionNames are the flags that define fingerprints.
var definitionNames = []string{"hash", "sketch", "encoding", "bits", "widen", "seed", "key", "tie", "order", "convention"}

func (f *inputFlags) register(flags *pflag.FlagSet) {
	f.registerRecords(flags)
	f.texts.registerWeights(flags)
}

// registerRecords adds all flags except those for the weights of texts.
func (f *inputFlags) registerRecords(flags *pflag.FlagSet) {
	f.definition.register(flags, definitionNames...)
	weightsFlag(flags, &f.weights)
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
		for _, name := range append([]string{"weights", "base", "max-line", "keep-going"}, definitionNames...) {
			if f.changed(name) && name != "bits" {
				_ = s.Close()
				return nil, fmt.Errorf("--%s requires texts or vectors; %s contains only fingerprints", name, s.Name)
			}
		}
	}
	writeDetected(stderr, s, len(args) > 1)
	return s, nil
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
	followed := false
	if index != nil {
		if followed, err = f.follow(*index); err != nil {
			return m, err
		}
	}
	m.Workers = f.workers
	if kind == source.Texts {
		if err := f.texts.take(f.weights); err != nil {
			return m, err
		}
		if m.Hash, err = f.definition.hasher(f.workers); err != nil {
			return m, err
		}
		if _, err = weightsFor(m.Hash, f.weights, f.changed("weights")); err == nil {
			m.Texts, err = f.texts.sketcher(ctx, m.Hash)
		}
		return m, err
	}
	f.chooseLanes(followed)
	if m.Hash, err = f.definition.hasher(f.workers); err == nil {
		m.Weights, err = weightsFor(m.Hash, f.weights, f.changed("weights"))
	}
	if err == nil {
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
	for _, name := range definitionNames {
		if name != "key" && f.changed(name) {
			return false, nil
		}
	}
	to, err := fphash.ParseDefinition(info.Definition)
	if err != nil {
		return false, err
	}
	f.definition.Definition = fphash.Definition{Hash: to.Hash, Kind: to.Kind, Encoding: to.Encoding, Bits: to.Bits, Widen: to.Widen, Tie: to.Tie, Order: to.Order, Lanes: to.Lanes, Seed: to.Seed, Key: f.definition.Key}
	return true, nil
}

// chooseLanes sets the lanes of vectors to the type of their weights. If the definition is that of
// an index, the weights get the type of its lanes, unless --weights chooses one.
func (f *inputFlags) chooseLanes(followed bool) {
	switch to := &f.definition; {
	case to.Convention != "" || to.Kind != fphash.SimHash:
	case followed && !f.changed("weights"):
		if to.Lanes == fphash.Float64 {
			f.weights = datasets.Float64
		}
	case f.weights == datasets.Float32:
		to.Lanes = fphash.Float32
	default:
		to.Lanes = fphash.Float64
	}
}

// weightsFor returns the type of the weights of vectors. If --weights was not given, it depends on
// the hasher: a convention has the type of its system, and MinHash has no weights.
func weightsFor(h hasher, weights string, given bool) (string, error) {
	system, ok := h.(*conventions.Sketcher)
	switch {
	case ok && !given:
		switch system.Convention().Weights {
		case conventions.Unweighted:
			return datasets.Unit, nil
		case conventions.Integers:
			return datasets.Int64, nil
		}
		return datasets.Float64, nil
	case h.Definition().Kind != fphash.MinHash:
		return weights, nil
	case !given:
		return datasets.Unit, nil
	case weights != datasets.Unit && weights != string(textweights.Count):
		return "", fmt.Errorf("--weights %s cannot be combined with --sketch minhash, which takes sets", weights)
	}
	return weights, nil
}

// writeCounts prints what the texts of an input lack.
func writeCounts(stderr io.Writer, missing *documents.Missing) {
	for _, sentence := range missing.Take() {
		fmt.Fprintln(stderr, "fphash:", sentence)
	}
}
