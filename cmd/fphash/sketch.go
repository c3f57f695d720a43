package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/dedup/source"
	"simhashkit/internal/dedup/fingerprints"
	"simhashkit/internal/english"
	textlines "simhashkit/internal/lines"
)

// sketchFlags are the flags of fphash sketch.
type sketchFlags struct {
	input       inputFlags
	format, out string
	keys        bool
	similarity  fraction
	minima      int
}

func newSketch() *cobra.Command {
	f := sketchFlags{input: newInputFlags(), similarity: dedup.DefaultTextSimilarity}
	command := &cobra.Command{
		Use:   "sketch [FILE...]",
		Short: "Compute fingerprints of texts or sparse vectors",
		Long: `sketch writes one fingerprint for each text or vector, in input order. FILE is a folder
of texts, a file of texts (JSON lines, CSV, Parquet, lines, tar), or a file of vectors
(svmlight, Vowpal Wabbit, .npz). Without FILE, sketch reads standard input. Memory use does
not grow with the number of records or dimensions.

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
	ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
	hints := f.input.hints(cmd, newProgress(stderr))
	hints.Once, hints.Progress = true, nil
	s, err := f.input.open(ctx, args, hints, stderr)
	if err != nil {
		return err
	}
	defer s.Close()
	if s.Kind == source.Fingerprints {
		return fmt.Errorf("%s: expected texts or vectors, but the input contains only fingerprints", s.Name)
	}
	method, seen, err := f.method(ctx, s.Kind, stderr)
	if err != nil {
		return err
	}
	var counts *source.Counts
	write := func(w io.Writer) error {
		buffered := textlines.NewWriter(w) // the reader of a pipe never gets half a line
		out, err := newFingerprintWriter(f.format, buffered, method.Hash)
		if err == nil {
			counts, err = s.Each(ctx, method, func(r source.Record) error {
				if f.keys {
					r.Keys = append([]uint64{}, r.Keys...) // not nil
				}
				return out.Write(fingerprints.Record(r))
			})
		}
		if err == nil {
			err = out.End()
		}
		// Output before an error is still flushed: a pipe gets it, and wholefile discards it.
		return cmp.Or(err, buffered.Flush())
	}
	if err := writeTo(f.out, cmd.OutOrStdout(), write); err != nil {
		return f.input.withFlags(err)
	}
	writeCounts(stderr, &counts.Missing, seen)
	noun := s.Kind.Noun()
	if counts.Records == 0 && counts.LeftOut == 0 {
		fmt.Fprintf(stderr, "fphash: no %ss in %s\n", noun, s.Name)
	}
	if n := counts.Uninformative; n > 0 {
		fmt.Fprintf(stderr, "fphash: %d %s no information (%s)\n", n, english.Plural(n, "fingerprint carries", "fingerprints carry"),
			dedup.WhyWithout(method.Hash.Definition().Sketch))
	}
	return leftOut(counts.LeftOut, noun)
}

// method returns how fingerprints, and with --keys keys, are computed.
func (f *sketchFlags) method(ctx context.Context, kind source.Kind, stderr io.Writer) (m source.Method, seen *languagesSeen, err error) {
	if f.keys {
		m, err = f.keysMethod(stderr, kind)
		return m, new(languagesSeen), err
	}
	for _, name := range []string{"similarity", "minima"} {
		if f.input.changed(name) {
			return m, nil, fmt.Errorf("--%s requires --keys", name)
		}
	}
	return f.input.method(ctx, kind, nil)
}

// keysMethod returns the method of --keys, and says what it chose.
func (f *sketchFlags) keysMethod(stderr io.Writer, kind source.Kind) (m source.Method, err error) {
	d := &f.input
	if kind != source.Texts {
		return m, fmt.Errorf("--keys requires texts, but the input has %s", kind)
	}
	for _, name := range slices.Concat([]string{"features", "weights", "table", "word-weights", "format"}, definitionNames) {
		if d.changed(name) {
			return m, fmt.Errorf("--%s cannot be combined with --keys, which defines the fingerprints", name)
		}
	}
	spec, err := textSpec(f.similarity)
	if err != nil {
		return m, err
	}
	keys, err := spec.Keys(f.minima)
	if err != nil {
		return m, fmt.Errorf("--minima %d: %w", f.minima, err)
	}
	fmt.Fprintf(stderr, "fphash: %d keys of %d minima, %d bytes for each text: at least %.1f%% of the pairs with similarity %v share a key and are within %d bits\n",
		keys.Count, keys.Minima, 8*keys.Count, math.Floor(1000*keys.Recall)/10, spec.Similarity, keys.K)
	return source.MethodWithKeys(spec, keys.Keys, d.workers)
}

// textSpec returns the Spec of texts with a similarity, as dedup compares them.
func textSpec(s fraction) (dedup.Spec, error) {
	if s := float64(s); !(s >= dedup.LeastSimilarity && s <= 1) {
		return dedup.Spec{}, fmt.Errorf("--similarity %v: expected %v to 1, such as 0.9 or 90%%", s, dedup.LeastSimilarity)
	}
	return dedup.Spec{Measure: dedup.Words, Similarity: float64(s), Recall: dedup.DefaultRecall}, nil
}
