package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/bench"
	"simhashkit/bench/calibrate"
	"simhashkit/bench/choose"
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/datasets/text/weights"
	"simhashkit/dedup/settings"
)

// chooseFlags are the flags of fphash choose.
type chooseFlags struct {
	vectorReading
	options            choose.Options
	texts              textFlags
	weights, sketch    string
	jaccard            float64
	indices            []string
	data, format, file string
}

// By indexNames users say what their indices are like.
var (
	indexNames    = []string{"dense", "consecutive", "random"}
	indexPatterns = map[string]quality.Pattern{"dense": terms.Dense1e3, "consecutive": terms.Consecutive, "random": terms.Uniform64}
)

func newChoose() *cobra.Command {
	f := chooseFlags{}
	command := &cobra.Command{
		Use:   "choose [DATA]",
		Short: "Say which hash, width and threshold k to use, in seconds",
		Long: `choose answers on one screen, for your vectors: which hash (the default,
unless it is weak on them or another good one is clearly cheaper), how many bits, and
which threshold k: what part of the near-duplicates each k finds, how many of 100 pairs
found are real, how many a million such vectors have, and the command that drops them.
The commands bench, calibrate and report measure the same in full.

For texts it names one setting of features, weights, sketch, width and k: some are tried
on 2,000 of the texts, drawn at random, and on copies in which 1, 3, 5 and 10% of the
words are replaced. k is the smallest that finds as much as any among those that take at
most 10 of a million pairs of strangers for near: texts that share less than half of
--jaccard, and less than half of their words.
--features, --weights and --sketch leave less to try. fphash dedup --settings auto
chooses by itself.

DATA is a file of vectors (svmlight, Vowpal Wabbit, Matrix Market, SciPy .npz), plain
or compressed; files:DIR or files:ARCHIVE.tar.gz;
or go-source. Without it the hashes are judged on indices like those of --indices,
and k follows from theory. With --text, --id, --features or --documents it is texts.

Exit codes: 0 it has answered; 1 no hash is known to be good on these vectors, no
threshold finds enough and little else, or the texts are too few to tell; 2 could not
run.`,
		Example: `  fphash choose vectors.svm.gz
  fphash choose vectors.svm.gz --cosine 0.95 --recall 0.9 --precision 0.5
  fphash choose texts.jsonl --text text
  fphash choose --indices consecutive
  fphash choose vectors.svm.gz --format markdown --out choice.md`,
		Args: cobra.MaximumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	dataFlag(flags, &f.data)
	suggestions(flags, &f.indices, "indices", nil, "without DATA, what the indices are like: %s (default all)", indexNames)
	f.options.Cosine, f.options.Recall, f.options.Precision = calibrate.DefaultCosine, calibrate.DefaultRecall, calibrate.DefaultPrecision
	targetFlags(flags, &f.options.Cosine, &f.options.Recall, &f.options.Precision)
	suggestions(flags, &f.options.Hashes, "hash", nil, "hash functions to choose from (default all, see fphash kernels)", hashNames())
	enumeration(flags, &f.options.Encoding, "encoding", encodingUsage, encodingNames)
	suggestion(flags, &f.weights, "weights", "", "weights of the features of texts: %s (default count and log are tried)", weights.Schemes())
	suggestion(flags, &f.sketch, "sketch", "", "sketch of texts: %s (default both are tried)", sketchNames)
	flags.Float64Var(&f.jaccard, "jaccard", settings.DefaultJaccard, "near texts share so much of their runs of 3 words, as by --verify jaccard:0.8")
	f.texts.register(flags)
	f.vectorReading.add(flags)
	suggestion(flags, &f.format, "format", "text", "format of the output: %s", choose.Formats())
	flags.StringVarP(&f.file, "out", "o", "", "file for the output (default standard output)")
	kernelFlag(flags)
	return command
}

func (f *chooseFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stdout, stderr := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := dataArgument(cmd.Flags(), args); err != nil {
		return err
	}
	f.options.Dedup = f.dedup(cmd.Flags())
	if err := f.parse(); err != nil {
		return err
	}
	p := newProgress(stderr)
	if f.texts.given() {
		return f.chooseSettings(ctx, p, stdout, stderr)
	}
	f.options.Progress = func(step string, part float64) {
		p.show(func() string { return fmt.Sprintf("%s  %.0f%%", step, 100*part) })
	}
	if err := f.load(ctx); err != nil {
		return err
	}
	answer, err := choose.Choose(ctx, f.options)
	p.clear()
	if err != nil {
		return err
	}
	if err := writeTo(f.file, stdout, func(w io.Writer) error { return answer.Write(w, f.format) }); err != nil {
		return err
	}
	switch {
	case answer.Ranking().Best == nil:
		return answerNo{"no hash is known to be good on these vectors"}
	case !answer.Sure():
		return answerNo{"no threshold does it on these vectors"}
	}
	return nil
}

// dedup is how a shell runs dedup, or dedup-corpus, on the same data with the same flags, but for
// those that the answer names.
func (f *chooseFlags) dedup(flags *pflag.FlagSet) string {
	if f.data == "" {
		return ""
	}
	data := f.data
	if isStdin(data) && f.texts.given() {
		data = "FILE" // which --verify reads again
	}
	words := "fphash dedup " + quoted(data)
	if f.texts.given() && f.texts.several([]string{f.data}) {
		words = "fphash dedup-corpus " + quoted(f.data) + " --out FOLDER"
	}
	for _, name := range slices.Concat(textNames, []string{"base", "max-line"}) {
		if flags.Changed(name) && name != "features" {
			words += " --" + name + " " + quoted(flags.Lookup(name).Value.String())
		}
	}
	return words
}

// load reads the vectors.
func (f *chooseFlags) load(ctx context.Context) (err error) {
	for _, name := range []string{"weights", "sketch", "jaccard"} {
		if f.texts.changed(name) {
			return fmt.Errorf("--%s: expected only with texts, whose features it is about", name)
		}
	}
	if f.data == "" {
		return nil
	}
	if err := refuseFolder(f.data); err != nil {
		return err
	}
	f.options.Data, err = bench.LoadData(ctx, f.data, datasets.ReadOptions{Base: f.base, MaxLine: f.maxLine()})
	if mayBeText(err) {
		err = fmt.Errorf("%w; %s", err, textsNeed)
	}
	return err
}

func (f *chooseFlags) parse() error {
	if err := expectOneOf("format", f.format, choose.Formats()); err != nil {
		return err
	}
	if err := checkTarget("cosine", f.options.Cosine, f.options.Recall, f.options.Precision); err != nil {
		return err
	}
	if len(f.indices) > 0 && f.data != "" {
		return fmt.Errorf("--indices %s: expected only without DATA, whose own indices count", joined(f.indices))
	}
	for _, name := range f.indices {
		if err := expectOneOf("--indices", name, indexNames); err != nil {
			return err
		}
		f.options.Patterns = append(f.options.Patterns, indexPatterns[name])
	}
	return nil
}
