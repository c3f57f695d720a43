package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"simhashkit/bench/calibrate"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// calibrateFlags are the flags of fphash calibrate.
type calibrateFlags struct {
	vectorReading
	options                    calibrate.Options
	definition                 definitionFlags
	weights, data, format, out string
	details                    bool
	jaccard                    float64
}

func newCalibrate() *cobra.Command {
	f := calibrateFlags{definition: newDefinitionFlags()}
	command := &cobra.Command{
		Use:   "calibrate DATA",
		Short: "Find the threshold k and the width f for near-duplicates in your vectors",
		Long: `calibrate sketches a sample of your vectors, computes the exact cosine of every
pair, and says first what to take for near-duplicates, pairs whose cosine is at
least --cosine: the smallest width and the k that have the wanted recall and
precision or, where nothing has both, the k of the recall at --bits, and what it
misses. Below stand other widths and other k, with 95% intervals, as measured and by
the model (each bit differs with probability angle/π).
--details has every k, distances by cosine, and the probability of at most k.

Precision depends on the collection. Every pair is as likely to be in the sample as any
other, so it is that of your collection, if the vectors are a fair sample of it; a large
collection with few near-duplicates takes a larger sample. Copies have distance 0 with
any hash; they are listed and count for nothing. By --sketch minhash vectors are sets,
and near-duplicates are those of a Jaccard similarity of --jaccard.

DATA is a file of vectors (svmlight, Vowpal Wabbit, Matrix Market, SciPy .npz), plain or
compressed; files:DIR or files:ARCHIVE.tar.gz; or go-source. Texts need no threshold in
bits: fphash dedup finds near-duplicates among them as they are.

Exit codes: 0 what it suggests has the wanted recall and precision; 1 it has not,
or there is nothing to suggest (too few vectors, too similar ones), and the output
says so; 2 could not run.`,
		Example: `  fphash calibrate vectors.svm.gz
  fphash calibrate vectors.svm.gz --cosine 0.95 --recall 0.9 --precision 0.99
  fphash calibrate vectors.svm.gz --hash fnv1a64 --encoding dec --details
  fphash calibrate vectors.svm.gz --format json --out calibration.json`,
		Args: cobra.MaximumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	dataFlag(flags, &f.data)
	weightsFlag(flags, &f.weights)
	f.vectorReading.add(flags)
	f.definition.register(flags, "hash", "sketch", "encoding", "bits", "widen", "seed", "tie")
	flags.Lookup("bits").Usage = "width of the fingerprints; half, twice and four times as many are tried as well"
	flags.Lookup("widen").Usage += " (widths tried: a way that suits it)"
	f.options.Cosine, f.options.Recall, f.options.Precision = calibrate.DefaultCosine, calibrate.DefaultRecall, calibrate.DefaultPrecision
	targetFlags(flags, &f.options.Cosine, &f.options.Recall, &f.options.Precision)
	flags.Float64Var(&f.jaccard, "jaccard", calibrate.DefaultJaccard, "with --sketch minhash in place of --cosine: least Jaccard similarity of near-duplicates")
	flags.IntVar(&f.options.Vectors, "vectors", calibrate.DefaultVectors, "vectors in the sample, at most; time grows with the square")
	flags.BoolVar(&f.details, "details", false, "show every k, and distances by cosine")
	suggestion(flags, &f.format, "format", "text", "format of the output: %s", calibrate.Formats())
	flags.StringVarP(&f.out, "out", "o", "", "file for the output (default standard output)")
	flags.IntVar(&f.options.Workers, "workers", 0, "goroutines (default the number of cores)")
	kernelFlag(flags)
	return command
}

func (f *calibrateFlags) run(cmd *cobra.Command, args []string) error {
	if err := dataArgument(cmd.Flags(), args); err != nil {
		return err
	}
	if err := expectOneOf("format", f.format, calibrate.Formats()); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	if err := f.hash(); err != nil {
		return err
	}
	result, err := f.measure(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if err := writeTo(f.out, cmd.OutOrStdout(), func(w io.Writer) error { return result.Write(w, f.format) }); err != nil {
		return err
	}
	switch {
	case result.Suggestion == nil:
		return answerNo{"there is no threshold to suggest"}
	case !result.Suggestion.Met:
		return answerNo{"no threshold has both the recall and the precision that are wanted"}
	}
	return nil
}

// check refuses what is out of range, and 0, for which package calibrate would take its default.
func (f *calibrateFlags) check() error {
	o, of := &f.options, "cosine"
	if f.definition.Sketch == fphash.MinHash {
		o.Cosine, of = f.jaccard, "jaccard"
	}
	for _, name := range []string{"cosine", "jaccard"} {
		if name != of && f.definition.changed(name) {
			return fmt.Errorf("--%s: expected --%s with --sketch %s", name, of, f.definition.Sketch)
		}
	}
	if of == "jaccard" && f.definition.changed("weights") {
		return errors.New("--weights: expected none with --sketch minhash, which takes sets")
	}
	if err := checkTarget(of, o.Cosine, o.Recall, o.Precision); err != nil {
		return err
	}
	switch {
	case f.data == "":
		return errors.New("no DATA: expected " + datasets.NameForms)
	case f.definition.Bits < 1 || f.definition.Bits > fphash.MaxBits:
		return fmt.Errorf("--bits %d: expected 1 to %d", f.definition.Bits, fphash.MaxBits)
	case o.Vectors < 2 || o.Vectors > calibrate.MaxVectors:
		return fmt.Errorf("--vectors %d: expected 2 to %d", o.Vectors, calibrate.MaxVectors)
	}
	return nil
}

// hash turns the flags into the hash of the options.
func (f *calibrateFlags) hash() error {
	d := f.definition.Definition
	family, err := fphash.Lookup(d.Hash)
	f.options.Bits, f.options.Hash = d.Bits, calibrate.Hash{Family: family, Sketch: d.Sketch, Encoding: d.Encoding, Seed: d.Seed, Tie: d.Tie, Widen: d.Widen}
	return err
}

func (f *calibrateFlags) measure(ctx context.Context, stderr io.Writer) (calibrate.Report, error) {
	if err := refuseTexts(f.data); err != nil {
		return calibrate.Report{}, err
	}
	if f.options.Hash.Sketch == fphash.MinHash {
		f.weights = datasets.Unit
	}
	switch f.weights {
	case datasets.Unit:
		return calibrateOn[float32](ctx, f, true, stderr)
	case datasets.Int32:
		return calibrateOn[int32](ctx, f, false, stderr)
	case datasets.Int64:
		return calibrateOn[int64](ctx, f, false, stderr)
	case datasets.Float32:
		return calibrateOn[float32](ctx, f, false, stderr)
	case datasets.Float64:
		return calibrateOn[float64](ctx, f, false, stderr)
	}
	return calibrate.Report{}, expectOneOf("--weights", f.weights, datasets.WeightTypes())
}

func calibrateOn[W datasets.Weight](ctx context.Context, f *calibrateFlags, unit bool, stderr io.Writer) (calibrate.Report, error) {
	set, description, err := datasets.Load[W](ctx, f.data, datasets.ReadOptions{Base: f.base, MaxLine: f.maxLine(), Unit: unit})
	if err != nil {
		return calibrate.Report{}, orDedup(err, f.data)
	}
	return measure(ctx, f, &set, description, newProgress(stderr))
}

// measure calibrates on vectors.
func measure[W datasets.Weight](ctx context.Context, f *calibrateFlags, set *datasets.CSR[W], description string, p *progress) (calibrate.Report, error) {
	options := f.options
	options.Progress = func(part float64) {
		p.show(func() string { return fmt.Sprintf("comparing all pairs  %.0f%%", 100*part) })
	}
	c, err := calibrate.Measure(ctx, set, options)
	p.clear()
	return calibrate.Report{Calibration: c, Hash: f.options.Hash, Data: description, Weights: f.weights, Details: f.details}, err
}
