package main

import (
	"cmp"
	"fmt"
	"io"

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
}

func newSketch() *cobra.Command {
	f := sketchFlags{input: newInputFlags()}
	command := &cobra.Command{
		Use:   "sketch [FILE...]",
		Short: "Compute fingerprints of texts or sparse vectors",
		Long: `sketch writes one fingerprint for each text or vector, in input order. FILE is a folder
of texts, a file of texts (JSON lines, CSV, Parquet, lines, tar), or a file of vectors
(svmlight, Vowpal Wabbit, .mtx, .npz). Without FILE, sketch reads standard input. Memory
use does not grow with the number of records or dimensions, except for .mtx.

By default, a fingerprint is a 64-bit simhash: of the features of a vector with their
weights, or of the words of a text with their numbers of occurrences.

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
	method, seen, err := f.input.method(ctx, s.Kind, nil)
	if err != nil {
		return err
	}
	var counts *source.Counts
	write := func(w io.Writer) error {
		buffered := textlines.NewWriter(w) // the reader of a pipe never gets half a line
		out, err := newFingerprintWriter(f.format, buffered, method.Hash)
		if err == nil {
			counts, err = s.Each(ctx, method, func(r source.Record) error { return out.Write(fingerprints.Record(r)) })
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
