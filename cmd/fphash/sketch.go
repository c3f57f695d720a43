package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/dedup/fingerprints"
	"simhashkit/internal/docsketch"
	"simhashkit/internal/english"
	textlines "simhashkit/internal/lines"
)

// sketchFlags are the flags of fphash sketch.
type sketchFlags struct {
	input       dedupInput
	format, out string
	keys        bool
	similarity  fraction
	minima      int
}

func newSketch() *cobra.Command {
	f := sketchFlags{input: dedupInput{definition: newDefinitionFlags()}, similarity: dedup.DefaultTextSimilarity}
	command := &cobra.Command{
		Use:   "sketch [FILE...]",
		Short: "Compute fingerprints of texts or sparse vectors",
		Long: `sketch writes one fingerprint for each text or vector, in input order. FILE is a folder
of texts, a file of texts (JSON lines, CSV, Parquet, lines, tar), or a file of vectors
(svmlight, Vowpal Wabbit, .mtx, .npz). Without FILE, sketch reads standard input. Memory
use does not grow with the number of records or dimensions, except for .mtx.

By default, a fingerprint is a 64-bit simhash: of the features of a vector with their
weights, or of the words of a text with their numbers of occurrences.

With --keys, it also writes keys by which engines such as Spark find near-duplicate texts:
FINGERPRINT<TAB>ID<TAB>WORDS<TAB>KEY,KEY,... The fingerprints are those of fphash dedup.

fphash help fingerprints explains hashes, widths, features and weights; fphash help
formats explains files.

Exit codes: 0 done; 1 --keep-going left records out; 2 a line is malformed, the sums of
a vector are not finite, or the command could not run.`,
		Example: `  fphash sketch vectors.svm.gz
  fphash sketch texts.jsonl --text text --id id --format jsonl
  fphash sketch vectors.svm.gz --bits 256 --widen mix --format parquet --out wide.parquet
  fphash sketch 'texts*.jsonl' --features words,n=2,fold --out texts.tsv.zst`,
		RunE: f.run,
	}
	flags := command.Flags()
	f.input.register(flags)
	flags.Lookup("workers").Usage = "number of vectors processed in parallel (default: the number of cores)"
	choice(flags, &f.format, "format", "text", "format of the output: %s", formats)
	flags.BoolVar(&f.keys, "keys", false, "also write keys of texts, for engines")
	flags.VarP(&f.similarity, "similarity", "s", "with --keys, minimum similarity of the pairs to find")
	flags.IntVar(&f.minima, "minima", 0, "with --keys, minima in a key (default 8 for 0.9; 12 for 10^9 texts)")
	outFlag(flags, &f.out)
	kernelFlag(flags)
	hideFlags(flags, sketchFlagsRare)
	return command
}

func (f *sketchFlags) run(cmd *cobra.Command, args []string) error {
	d := &f.input
	d.ctx, d.stdin, d.stderr = cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr()
	args, err := d.openPipe(args)
	if err != nil {
		return err
	}
	kind, err := d.detect(args)
	if err != nil {
		return err
	}
	if kind == fingerprintInput {
		return fmt.Errorf("%s: expected texts or vectors, but the input contains only fingerprints", inputName(cmp.Or(args...)))
	}
	if err := f.setKeys(cmd, kind); err != nil {
		return err
	}
	job, err := d.newJob(kind)
	if err != nil {
		return err
	}
	run, err := d.computer(job)
	if err != nil {
		return err
	}
	if err := job.open(args, d.stdin); err != nil {
		return err
	}
	write := func(w io.Writer) (err error) {
		buffered := textlines.NewWriter(w) // the reader of a pipe never gets half a line
		if job.out, err = newFingerprintWriter(f.format, buffered, job.sketcher); err == nil {
			err = run(job)
		}
		if err == nil {
			err = job.out.End()
		}
		// Output before an error is still flushed: a pipe gets it, and wholefile discards it.
		err = cmp.Or(err, buffered.Flush())
		return err
	}
	err = writeTo(f.out, cmd.OutOrStdout(), write)
	err = cmp.Or(err, job.close()) // a damaged stream returns the same error twice
	if err != nil {
		return err
	}
	return job.verdict()
}

// setKeys sets the definition of the fingerprints and keys of --keys, and says what it chose.
func (f *sketchFlags) setKeys(cmd *cobra.Command, kind inputKind) error {
	d := &f.input
	if !f.keys {
		for _, name := range []string{"similarity", "minima"} {
			if d.changed(name) {
				return fmt.Errorf("--%s requires --keys", name)
			}
		}
		return nil
	}
	if kind != textInput {
		return errors.New("--keys requires texts, but the input has vectors")
	}
	for _, name := range slices.Concat([]string{"features", "weights", "table", "word-weights", "format"}, definitionNames) {
		if d.changed(name) {
			return fmt.Errorf("--%s cannot be combined with --keys, which defines the fingerprints", name)
		}
	}
	spec, err := textSpec(f.similarity)
	if err != nil {
		return err
	}
	keys, err := spec.Keys(f.minima)
	if err != nil {
		return fmt.Errorf("--minima %d: %w", f.minima, err)
	}
	d.apply(spec)
	d.texts.keys = &keys.Keys
	fmt.Fprintf(cmd.ErrOrStderr(), "fphash: %d keys of %d minima, %d bytes for each text: at least %.1f%% of the pairs with similarity %v share a key and are within %d bits\n",
		keys.Count, keys.Minima, 8*keys.Count, math.Floor(1000*keys.Recall)/10, spec.Similarity, keys.K)
	return nil
}

// textSpec returns the Spec of texts with a similarity, as dedup compares them.
func textSpec(s fraction) (dedup.Spec, error) {
	if s := float64(s); !(s >= dedup.LeastSimilarity && s <= 1) {
		return dedup.Spec{}, fmt.Errorf("--similarity %v: expected %v to 1, such as 0.9 or 90%%", s, dedup.LeastSimilarity)
	}
	return dedup.Spec{Measure: dedup.Words, Similarity: float64(s), Recall: dedup.DefaultRecall}, nil
}

// sketchJob is one run of fphash sketch: the input, the output, and counts of records.
type sketchJob struct {
	vectorReading
	ctx       context.Context
	sketcher  hasher
	keepGoing bool
	stderr    io.Writer

	texts   *textFlags // flags of documents; nil for vectors
	workers int        // for documents
	whole   bool       // a text without features counts as one feature

	checkFeatures func(features string) error // is called before documents are read; nil accepts all

	name      string // name of the stream in messages
	path      string // path of the stream; "" for standard input
	stream    io.ReadCloser
	reader    io.Closer // of the vectors in the stream; nil before they are read
	documents documents.Reader
	out       fingerprints.Writer

	vectors       int // read
	bad           int // vectors and lines left out
	uninformative int
	written       int   // vectors that were written or refused
	skipped       []int // positions of the refused ones among them, from 0
}

// open opens the named file or standard input.
func (j *sketchJob) open(args []string, stdin io.Reader) (err error) {
	if j.texts != nil {
		return j.openTexts(args, stdin)
	}
	j.path, j.stream, err = openStream(j.ctx, args, stdin)
	j.name = inputName(j.path)
	return err
}

// openTexts opens documents.
func (j *sketchJob) openTexts(args []string, stdin io.Reader) (err error) {
	var onError func(error)
	if j.keepGoing {
		onError = func(err error) { _ = j.report(err) } // report returns nil with --keep-going
	}
	if len(args) == 0 || isStdin(args[0]) {
		j.name = inputName("")
		j.documents, err = documents.NewReader(j.ctx, stdin, j.name, j.texts.options(onError))
		return err
	}
	j.name = strings.Join(args, " ")
	notice := func(text string) { fmt.Fprintln(j.stderr, "fphash:", text) }
	j.documents, err = j.texts.open(j.ctx, args, j.texts.options(onError), notice)
	return err
}

// sketchTexts reads all documents and writes their fingerprints.
func sketchTexts(j *sketchJob) error {
	sketcher, err := j.texts.sketcher(j.ctx, j.sketcher, j.whole)
	if err != nil {
		return err
	}
	if j.checkFeatures != nil {
		if err := j.checkFeatures(sketcher.Features()); err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
	}
	for d, err := range docsketch.Documents(j.ctx, sketcher, j.texts.read(j.documents), j.workers) {
		if err != nil {
			return orKeepGoing(err)
		}
		j.vectors++
		id, madeUp := d.ID, d.MadeUp
		if len(id) == 0 {
			id, madeUp = strconv.AppendInt(nil, int64(d.Number), 10), true
		}
		if d.Status != fphash.Informative {
			j.uninformative++
		}
		r := fingerprints.Record{ID: id, MadeUp: madeUp, Fingerprint: d.Fingerprint, Informative: d.Status == fphash.Informative, Features: d.Features}
		if j.texts.keys != nil {
			r.Keys = d.Keys
			if len(r.Keys) > 0 {
				r.Features = max(r.Features, 1) // a text without words is one word
			}
		}
		if err := j.out.Write(r); err != nil {
			return err
		}
	}
	j.texts.report(j.stderr)
	return nil
}

func (j *sketchJob) close() error {
	var err error
	if j.reader != nil {
		err = j.reader.Close()
	}
	switch {
	case j.documents != nil:
		return j.documents.Close()
	case j.stream != nil:
		err = errors.Join(err, j.stream.Close())
	}
	return err
}

// report counts and prints the error of a record if --keep-going is given. Otherwise it returns the
// error.
func (j *sketchJob) report(err error) error {
	if !j.keepGoing {
		return err
	}
	j.bad++
	fmt.Fprintln(j.stderr, err)
	return nil
}

// verdict warns if there were no records, or if some fingerprints carry no information. It returns
// an answerNo if records were left out.
func (j *sketchJob) verdict() error {
	noun := "vector"
	if j.texts != nil {
		noun = "document"
	}
	if j.vectors == 0 && j.bad == 0 {
		fmt.Fprintf(j.stderr, "fphash: no %ss in %s\n", noun, j.name)
	}
	if j.uninformative > 0 {
		fmt.Fprintf(j.stderr, "fphash: %d %s no information (%s)\n", j.uninformative, english.Plural(j.uninformative, "fingerprint carries", "fingerprints carry"),
			whyWithout(madeByMinHash(j.sketcher.String())))
	}
	return leftOut(j.bad, noun)
}

// refused returns the error of a vector that has no fingerprint, with its file and line.
func (j *sketchJob) refused(line int, id []byte, why error) error {
	if line == 0 {
		return fmt.Errorf("%s: vector %q: %w", j.name, id, why)
	}
	return fmt.Errorf("%s:%d: vector %q: %w", j.name, line, id, why)
}

// refuse leaves out a vector with --keep-going, and returns an error otherwise.
func (j *sketchJob) refuse(line int, id []byte, why error) error {
	j.skipped = append(j.skipped, j.written-1)
	return j.report(j.refused(line, id, why))
}
