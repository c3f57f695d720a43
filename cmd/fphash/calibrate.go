package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"simhashkit/bench"
	"simhashkit/bench/calibrate"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/wholefile"
)

// calibrateFlags are the flags of fphash calibrate.
type calibrateFlags struct {
	options                    calibrate.Options
	hash, encoding, widen, tie string
	to, toEncoding, toWiden    string
	seed                       uint64
	weights, data, format, out string
	base                       uint64
	kernel                     string
}

func newCalibrate() *cobra.Command {
	var f calibrateFlags
	command := &cobra.Command{
		Use:   "calibrate --data DATA",
		Short: "Find the threshold k and the width f for near-duplicates in your vectors",
		Long: `calibrate sketches a sample of your vectors, computes the exact cosine of every
pair, and says at which distances near-duplicates lie: pairs whose cosine is at
least --cosine. It shows the distances by cosine, the probability of a distance
of at most k, recall and precision of each k with 95% intervals, all as measured
and by the model (each bit differs with probability angle/π), and suggests the
smallest width and the k that have the wanted recall and precision.

Precision depends on the collection. Every pair is as likely to be in the sample
as any other, so it is that of your collection, if the vectors are a fair sample
of it; a large collection with few near-duplicates takes a larger sample. Copies
have distance 0 with any hash; they are listed and count for nothing.

--to names a hash that you may want to switch to: its recall at each k, by how
much distances shift, and what it costs to make all fingerprints anew, which a
switch takes: those of different hashes cannot be compared.

DATA is an svmlight file, plain or compressed; files:DIR or files:ARCHIVE.tar.gz;
or go-source.

Exit codes: 0 there is a suggestion; 1 there is none, and the output says why: too
few vectors, too similar ones, or nothing has what is wanted; 2 could not run.`,
		Example: `  fphash calibrate --data vectors.svm.gz
  fphash calibrate --data vectors.svm.gz --cosine 0.95 --recall 0.9 --precision 0.99
  fphash calibrate --data vectors.svm.gz --hash fnv1a64 --encoding dec --to xxh64
  fphash calibrate --data vectors.svm.gz --format json --out calibration.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.data, "data", "", "the vectors: an svmlight file, files:DIR, files:ARCHIVE.tar.gz, or go-source")
	flags.StringVar(&f.weights, "weights", "f32", "type of weight: "+joined(bench.Weights()))
	flags.Uint64Var(&f.base, "base", 0, "subtract this from the indices of an svmlight file")
	flags.StringVar(&f.hash, "hash", "xxh64", "hash function (see fphash kernels)")
	flags.StringVar(&f.encoding, "encoding", "le64", "the bytes as which an index is hashed: le64, be64, dec")
	flags.IntVar(&f.options.Bits, "bits", 64, "width of the fingerprints; half, twice and four times as many are tried as well")
	flags.StringVar(&f.widen, "widen", "none", "how a hash becomes wider than it is: none, reseed, counter, mix (widths tried: a way that suits it)")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the hash")
	flags.StringVar(&f.tie, "tie", "zero", "bit of a lane whose sum is zero: zero, one, alternate")
	f.options.Cosine, f.options.Recall, f.options.Precision = calibrate.DefaultCosine, calibrate.DefaultRecall, calibrate.DefaultPrecision
	flags.Var((*fraction)(&f.options.Cosine), "cosine", "least cosine of near-duplicates")
	flags.Var((*fraction)(&f.options.Recall), "recall", "part of the near-duplicates to be found, such as 0.95 or 95%")
	flags.Var((*fraction)(&f.options.Precision), "precision", "part of what is found that are to be near-duplicates")
	flags.StringVar(&f.to, "to", "", "another hash, to see what switching to it changes")
	flags.StringVar(&f.toEncoding, "to-encoding", "", "encoding for --to (default as --encoding)")
	flags.StringVar(&f.toWiden, "to-widen", "", "widening for --to (default as --widen)")
	flags.IntVar(&f.options.Vectors, "vectors", calibrate.DefaultVectors, "vectors in the sample, at most; time grows with the square")
	flags.StringVar(&f.format, "format", "text", "format of the output: "+joined(calibrate.Formats()))
	flags.StringVarP(&f.out, "out", "o", "", "file for the output (default standard output)")
	flags.IntVar(&f.options.Workers, "workers", 0, "goroutines (default the number of cores)")
	kernelFlag(command, &f.kernel)
	return command
}

func (f *calibrateFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := expectOneOf("format", f.format, calibrate.Formats()); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	if f.kernel != "" {
		restore, err := capKernel(f.kernel)
		if err != nil {
			return err
		}
		defer restore()
	}
	if err := f.hashes(); err != nil {
		return err
	}
	result, err := f.measure(ctx, stderr)
	if err != nil {
		return err
	}
	var output bytes.Buffer
	if err := result.Write(&output, f.format); err != nil {
		return err
	}
	if f.out != "" {
		err = wholefile.WriteBytes(f.out, output.Bytes())
	} else {
		_, err = stdout.Write(output.Bytes())
	}
	if err != nil {
		return err
	}
	if result.Suggestion == nil {
		return answerNo{"there is no threshold to suggest"}
	}
	return nil
}

// check refuses what is out of range, and 0, for which package calibrate would take its default.
func (f *calibrateFlags) check() error {
	o := &f.options
	switch {
	case f.data == "":
		return errors.New("no --data: expected an svmlight file, files:DIR, files:ARCHIVE.tar.gz, or go-source")
	case !(o.Cosine > 0 && o.Cosine < 1):
		return fmt.Errorf("--cosine %v: want one above 0 and below 1", o.Cosine)
	case !(o.Recall > 0 && o.Recall <= 1):
		return fmt.Errorf("--recall %v: want one above 0 and at most 1", o.Recall)
	case !(o.Precision > 0 && o.Precision <= 1):
		return fmt.Errorf("--precision %v: want one above 0 and at most 1", o.Precision)
	case o.Bits < 1 || o.Bits > fphash.MaxBits:
		return fmt.Errorf("--bits %d: want 1 to %d", o.Bits, fphash.MaxBits)
	case o.Vectors < 2 || o.Vectors > calibrate.MaxVectors:
		return fmt.Errorf("--vectors %d: want 2 to %d", o.Vectors, calibrate.MaxVectors)
	}
	return nil
}

// hashes turns the flags into the hashes of the options.
func (f *calibrateFlags) hashes() (err error) {
	if f.options.Hash, err = f.definition(f.hash, f.encoding, f.widen); err != nil {
		return err
	}
	f.options.Hash.Seed = f.seed
	if f.to == "" {
		return nil
	}
	encoding, widen := f.encoding, f.widen
	if f.toEncoding != "" {
		encoding = f.toEncoding
	}
	if f.toWiden != "" {
		widen = f.toWiden
	}
	to, err := f.definition(f.to, encoding, widen)
	f.options.To = &to
	return err
}

func (f *calibrateFlags) definition(name, encoding, widen string) (h calibrate.Hash, err error) {
	if h.Family, err = fphash.Lookup(name); err != nil {
		return h, err
	}
	if h.Encoding, err = fphash.ParseEncoding(encoding); err != nil {
		return h, err
	}
	if h.Widen, err = fphash.ParseWiden(widen); err != nil {
		return h, err
	}
	h.Tie, err = fphash.ParseTie(f.tie)
	return h, err
}

func (f *calibrateFlags) measure(ctx context.Context, stderr io.Writer) (calibrate.Report, error) {
	switch f.weights {
	case "unit":
		return calibrateOn[float32](ctx, f, true, stderr)
	case "i32":
		return calibrateOn[int32](ctx, f, false, stderr)
	case "i64":
		return calibrateOn[int64](ctx, f, false, stderr)
	case "f32":
		return calibrateOn[float32](ctx, f, false, stderr)
	case "f64":
		return calibrateOn[float64](ctx, f, false, stderr)
	}
	return calibrate.Report{}, fmt.Errorf("unknown --weights %q; want %s", f.weights, joined(bench.Weights()))
}

func calibrateOn[W datasets.Weight](ctx context.Context, f *calibrateFlags, unit bool, stderr io.Writer) (calibrate.Report, error) {
	set, description, err := datasets.Load[W](f.data, datasets.LoadOptions{Base: f.base, Unit: unit})
	if err != nil {
		return calibrate.Report{}, err
	}
	p := newProgress(stderr)
	options := f.options
	options.Progress = func(part float64) {
		p.show(func() string { return fmt.Sprintf("comparing all pairs  %.0f%%", 100*part) })
	}
	c, err := calibrate.Measure(ctx, &set, options)
	p.clear()
	return calibrate.Report{Calibration: c, Hash: f.options.Hash, To: f.options.To, Data: description, Weights: f.weights}, err
}
