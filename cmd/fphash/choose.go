package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/bench"
	"simhashkit/datasets"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/choose"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/english"
)

// chooseFlags are the flags of fphash choose.
type chooseFlags struct {
	vectorReading
	options            choose.Options
	indices            []string
	data, format, file string
	changed            func(flag string) bool
}

const sketchUsage = "use of the hash: %s"

// indexNames are the values of --indices.
var (
	indexNames    = []string{"dense", "consecutive", "random"}
	indexPatterns = map[string]string{"dense": terms.Dense1e3, "consecutive": terms.Consecutive, "random": terms.Uniform64}
)

func newChoose() *cobra.Command {
	f := chooseFlags{}
	command := &cobra.Command{
		Use:   "choose [DATA]",
		Short: "Recommend a hash, a width and a threshold k, in seconds",
		Args:  cobra.MaximumNArgs(1),
		RunE:  f.run,
	}
	flags := command.Flags()
	suggestions(flags, &f.indices, "indices", nil, "without DATA, kinds of indices: %s", indexNames)
	f.options.Cosine, f.options.Recall, f.options.Precision = choose.DefaultCosine, choose.DefaultRecall, choose.DefaultPrecision
	flags.Var(share{&f.options.Cosine, 0, below1}, "cosine", "minimum cosine of near-duplicates")
	flags.Var(share{&f.options.Recall, 0, 1}, "recall", "minimum share of the near-duplicates to find")
	flags.Var(share{&f.options.Precision, 0, 1}, "precision", "minimum share of near-duplicates among the pairs found")
	suggestions(flags, &f.options.Hashes, "hash", nil, "hash functions to choose from (default all)", hashNames())
	choice(flags, &f.options.Sketch, "sketch", terms.SimHash, sketchUsage, terms.Sketches())
	enumeration(flags, &f.options.Encoding, "encoding", encodingUsage, encodingNames)
	f.changed = flags.Changed
	f.vectorReading.add(flags)
	formatFlag(flags, &f.format)
	flags.StringVarP(&f.file, "out", "o", "", "output `file` (default stdout)")
	kernelFlag(flags)
	hideFlags(flags, []string{"base", "max-line", "kernel"})
	return command
}

func (f *chooseFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stdout, stderr := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if len(args) > 0 {
		f.data = args[0]
	}
	if f.data != "" && f.data != datasets.GoSourceName {
		f.options.Dedup = "fphash dedup " + quoted(f.data)
	}
	if err := f.parse(); err != nil {
		return err
	}
	p := newProgress(stderr)
	f.options.Progress = func(step string, part float64) {
		p.report(status{step: step, part: part})
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
	return refuseWeak(answer.Hashes)
}

// refuseWeak returns an answerNo if all hashes that were judged are weak.
func refuseWeak(r *advice.Recommendation) error {
	if r.Verdict() == terms.Weak {
		return answerNo{fmt.Sprintf("the %s weak", english.Plural(len(r.Choices), "hash is", "hashes are all"))}
	}
	return nil
}

// load reads the vectors.
func (f *chooseFlags) load(ctx context.Context) (err error) {
	if f.data == "" {
		return nil
	}
	if info, err := os.Stat(f.data); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: expected a file of vectors; for near-duplicates among texts: fphash dedup %s", f.data, quoted(f.data))
	}
	f.options.Data, err = bench.LoadData(ctx, f.data, datasets.ReadOptions{Base: f.base, MaxLine: f.maxLine()})
	if err == nil && f.options.Data.Set.Len() < 2 {
		return fmt.Errorf("%s: expected two or more vectors, got %d", f.data, f.options.Data.Set.Len())
	}
	return orDedup(err, f.data)
}

// orDedup adds to the error of a file that does not start with a vector what to do: write bare
// indices with values, or run the command for texts.
func orDedup(err error, data string) error {
	var malformed *datasets.SyntaxError
	if !errors.As(err, &malformed) || !malformed.NoVector {
		return err
	}
	if malformed.Like == "a list of numbers" || malformed.Got != "" && strings.Trim(malformed.Got, "0123456789") == "" {
		return fmt.Errorf("%w; write each index with its value, such as 5:1", err)
	}
	return fmt.Errorf("%w; for near-duplicates among texts: fphash dedup %s", err, quoted(data))
}

func (f *chooseFlags) parse() error {
	if len(f.indices) > 0 && f.data != "" {
		return fmt.Errorf("--indices %s cannot be combined with DATA, which has its own indices", joined(f.indices))
	}
	if f.options.Sketch != terms.SimHash {
		reason := fmt.Sprintf("cannot be combined with --sketch %s, which has no threshold k", f.options.Sketch)
		if err := refuse(f.changed, reason, "cosine", "recall", "precision"); err != nil {
			return err
		}
	}
	for _, name := range f.indices {
		if err := expectOneOf("--indices", name, indexNames); err != nil {
			return err
		}
		f.options.Patterns = append(f.options.Patterns, indexPatterns[name])
	}
	return nil
}
