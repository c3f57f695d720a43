package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/datasets"
	"simhashkit/internal/decompress"
	"simhashkit/internal/english"
)

// convertFlags are the flags of fphash data convert.
type convertFlags struct {
	vectorReading
	from, to, weights string
	strict, keepGoing bool
}

func newDataConvert() *cobra.Command {
	var f convertFlags
	command := &cobra.Command{
		Use:         "convert IN OUT",
		Annotations: map[string]string{outputArgument: "1"},
		Short:       "Convert sparse vectors from one format to another",
		Long: `convert reads the vectors of IN and writes them to OUT, whole or not at all, in the
format that OUT's name shows: .svm, .vw, .mtx or .npz, packed if .gz or .zst comes
behind. - is standard input or output.

` + vectorFormats + `

Indices and weights stay the same, bit for bit: weights have the type that IN has,
and in formats of text, whose numbers do not say, that of --weights or 64-bit
floats. Repeated indices are summed and zeros left out, as by all commands.

mtx and npz have no room for labels and ids, svmlight none for labels with # or :,
vw none for white space and bars. What is left out is counted; --strict refuses it.
In svmlight, vectors without a label get the label 0. mtx and npz take as much room
in a temporary file as the vectors have.`,
		Example: `  fphash data convert train.vw.gz train.npz
  fphash data convert vectors.npz vectors.svm.zst
  zcat vectors.svm.gz | fphash data convert - - --to mtx`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args[0], args[1], cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.from, "from", "", "format of IN: "+joined(datasets.Formats())+" (default what it holds)")
	flags.StringVar(&f.to, "to", "", "format of OUT: "+joined(datasets.Formats())+" (default what its name shows)")
	flags.StringVar(&f.weights, "weights", "", "type of weight: "+joined(datasets.WeightTypes())+" (default that of IN)")
	f.vectorReading.add(flags)
	flags.BoolVar(&f.strict, "strict", false, "refuse labels and ids that OUT has no room for")
	flags.BoolVar(&f.keepGoing, "keep-going", false, "report and leave out what is malformed instead of stopping")
	return command
}

func (f *convertFlags) run(ctx context.Context, in, out string, stdin io.Reader, stdout, stderr io.Writer) error {
	to, err := f.target(out)
	if err != nil {
		return err
	}
	if out == "-" {
		out = ""
	}
	if err := tryOutputs(out); err != nil {
		return err
	}
	file, err := f.open(ctx, in, stdin, stderr)
	if err != nil {
		return err
	}
	defer file.Close()
	weights := cmp.Or(f.weights, file.Weights)
	var done datasets.Conversion
	err = writeTo(out, stdout, func(w io.Writer) (err error) {
		done, err = convert(ctx, w, to, file, weights, f.strict)
		return err
	})
	if err != nil {
		return err
	}
	answer := stdout
	if out == "" {
		answer = stderr
	}
	fmt.Fprintf(answer, "%d %s with %d %s: %s (%s) to %s\n", done.Rows, english.Plural(done.Rows, "vector", "vectors"),
		done.NNZ, english.Plural(done.NNZ, "feature", "features"), file.Format, weights, to)
	if lost := lostParts(&done); lost != "" {
		fmt.Fprintf(stderr, "fphash: %s %s left out: %s has no room for them\n", lost, english.Plural(done.Labels+done.IDs, "was", "were"), to)
	}
	if done.Bad > 0 {
		return answerNo{fmt.Sprintf("%d %s left out", done.Bad, english.Plural(done.Bad, "vector was", "vectors were"))}
	}
	return nil
}

// target returns the format of the output.
func (f *convertFlags) target(out string) (datasets.Format, error) {
	switch {
	case f.to != "":
		return datasets.ParseFormat(f.to)
	case out == "-":
		return "", errors.New("OUT -: expected --to with it, for its format")
	}
	return datasets.FormatOf(out)
}

func (f *convertFlags) open(ctx context.Context, in string, stdin io.Reader, stderr io.Writer) (*datasets.VectorFile, error) {
	options := datasets.ReadOptions{Base: f.base, MaxLine: f.maxLine(), Unit: f.weights == datasets.Unit}
	if f.from != "" {
		var err error
		if options.Format, err = datasets.ParseFormat(f.from); err != nil {
			return nil, err
		}
	}
	if f.weights != "" {
		if err := expectOneOf("--weights", f.weights, datasets.WeightTypes()); err != nil {
			return nil, err
		}
	}
	if f.keepGoing {
		options.OnError = func(err error) { fmt.Fprintln(stderr, err) }
	}
	if in != "-" {
		return datasets.OpenVectors(ctx, in, options)
	}
	options.Name = "standard input"
	stream, err := decompress.NewReader(ctx, stdin)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", options.Name, err)
	}
	return datasets.NewVectorFile(ctx, stream, "", options)
}

// convert converts with weights of a type by name.
func convert(ctx context.Context, w io.Writer, to datasets.Format, file *datasets.VectorFile, weights string, strict bool) (datasets.Conversion, error) {
	switch weights {
	case datasets.Int32:
		return datasets.Convert[int32](ctx, w, to, file, strict)
	case datasets.Int64:
		return datasets.Convert[int64](ctx, w, to, file, strict)
	case datasets.Float32:
		return datasets.Convert[float32](ctx, w, to, file, strict)
	}
	return datasets.Convert[float64](ctx, w, to, file, strict) // unit has no weights of any type
}

// lostParts names what was left out of the vectors, "" if nothing was.
func lostParts(c *datasets.Conversion) string {
	var parts []string
	if c.Labels > 0 {
		parts = append(parts, fmt.Sprintf("%d %s", c.Labels, english.Plural(c.Labels, "label", "labels")))
	}
	if c.IDs > 0 {
		parts = append(parts, fmt.Sprintf("%d %s", c.IDs, english.Plural(c.IDs, "id", "ids")))
	}
	return strings.Join(parts, " and ")
}
