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
	"simhashkit/internal/english"
	"simhashkit/internal/wholefile"
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
		Long: `convert reads the vectors of IN and writes them to OUT, whole or not at all. The name
of OUT gives the format: .svm, .vw, .mtx or .npz, followed by .gz or .zst for a
compressed file; - is standard input or output. fphash help formats describes them.

Indices stay the same, and weights bit for bit. Weights have the type of IN; text
formats do not say it, so they are read as --weights or 64-bit floats. Repeated indices
are summed and zeros left out, as by all commands.

mtx and npz have no labels and ids, svmlight has no labels with # or :, and vw none with
white space or bars. convert counts what it leaves out; --strict refuses it. A vector
without a label gets the label 0 in svmlight. mtx and npz need a temporary file as large
as the vectors.`,
		Example: `  fphash data convert train.vw.gz train.npz
  fphash data convert vectors.npz vectors.svm.zst
  zcat vectors.svm.gz | fphash data convert - - --to mtx`,
		Args: cobra.ExactArgs(2),
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	suggestion(flags, &f.from, "from", "", "format of IN: %s (default what it holds)", datasets.Formats())
	suggestion(flags, &f.to, "to", "", "format of OUT: %s (default what its name shows)", datasets.Formats())
	choice(flags, &f.weights, "weights", "", "type of weight: %s (default that of IN)", datasets.WeightTypes())
	f.vectorReading.add(flags)
	flags.BoolVar(&f.strict, "strict", false, "refuse labels and ids that OUT has no room for")
	keepGoingFlag(flags, &f.keepGoing)
	return command
}

func (f *convertFlags) run(cmd *cobra.Command, args []string) error {
	ctx, out, answer, stderr := cmd.Context(), args[1], cmd.OutOrStdout(), cmd.ErrOrStderr()
	to, err := f.target(out)
	if err != nil {
		return err
	}
	if isStdin(out) {
		out, answer = "", stderr
	} else if err := wholefile.Try(out); err != nil {
		return err
	}
	file, err := f.open(ctx, args[0], cmd.InOrStdin(), stderr)
	if err != nil {
		return err
	}
	defer file.Close()
	weights := cmp.Or(f.weights, file.Weights)
	var done datasets.Conversion
	err = writeTo(out, cmd.OutOrStdout(), func(w io.Writer) (err error) {
		done, err = convert(ctx, w, to, file, weights, f.strict)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(answer, "%s with %s: %s (%s) to %s\n", english.Count(done.Rows, "vector"), english.Count(done.NNZ, "feature"), file.Format, weights, to)
	if lost := lostParts(&done); lost != "" {
		fmt.Fprintf(stderr, "fphash: %s %s left out: %s has no room for them\n", lost, english.Plural(done.Labels+done.IDs, "was", "were"), to)
	}
	return leftOut(done.Bad, "vector")
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
	if f.keepGoing {
		options.OnError = func(err error) { fmt.Fprintln(stderr, err) }
	}
	if in != "-" {
		return datasets.OpenVectors(ctx, in, options)
	}
	options.Name = inputName("")
	_, stream, err := openStream(ctx, nil, stdin)
	if err != nil {
		return nil, err
	}
	return datasets.NewVectorFile(ctx, stream, "", options)
}

// convert converts with weights of the named type.
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

// lostParts names the parts of vectors that were left out; "" if there are none.
func lostParts(c *datasets.Conversion) string {
	var parts []string
	if c.Labels > 0 {
		parts = append(parts, english.Count(c.Labels, "label"))
	}
	if c.IDs > 0 {
		parts = append(parts, english.Count(c.IDs, "id"))
	}
	return strings.Join(parts, " and ")
}
