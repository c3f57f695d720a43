package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/datasets"
	"simhashkit/internal/english"
	"simhashkit/internal/jsonout"
	"simhashkit/internal/wholefile"
)

func newData() *cobra.Command {
	command := &cobra.Command{
		Use:   "data",
		Short: "Describe, convert, generate and count data sets",
	}
	command.AddCommand(newDataInfo(), newDataConvert(), newDataGenerate(), newDataFrequencies())
	return command
}

func newDataInfo() *cobra.Command {
	var reading vectorReading
	var format string
	command := &cobra.Command{
		Use:   "info DATA",
		Short: "Describe a data set: rows, features, indices, duplicates, weights",
		Long: `info describes a data set. DATA is a file of vectors (fphash help formats); files:DIR or
files:ARCHIVE.tar.gz, whose features are the 8-byte windows of the files; or go-source,
a sample of the files of the Go installation.

A file of vectors is read one vector at a time. Memory is about 60 bytes for each
distinct row and 40 for each distinct index.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			info, description, err := datasets.Describe[float64](cmd.Context(), args[0], datasets.ReadOptions{Base: reading.base, MaxLine: reading.maxLine()})
			if err != nil {
				return err
			}
			if format == "json" {
				return writeInfoJSON(cmd.OutOrStdout(), description, info)
			}
			return writeInfo(cmd.OutOrStdout(), description, info)
		},
	}
	reading.add(command.Flags())
	formatFlag(command.Flags(), &format)
	return command
}

func writeInfo(w io.Writer, description string, info datasets.Info) error {
	return writeFacts(w, description+"\n", []fact{
		{"rows", info.Rows},
		{"empty rows", info.EmptyRows},
		{"exact duplicates of an earlier row", info.DuplicateRows},
		{"features (nnz)", info.NNZ},
		{"features of a row: least", info.MinNNZ},
		{"median", info.MedianNNZ},
		{"mean", fmt.Sprintf("%.1f", info.MeanNNZ)},
		{"most", info.MaxNNZ},
		{"distinct indices", info.DistinctIndices},
		{"greatest index", info.MaxIndex},
		{"weights", weightsIn(info)},
	})
}

// weightsIn describes the weights of a data set.
func weightsIn(info datasets.Info) string {
	switch {
	case !info.Weighted:
		return "none (unit)"
	case info.OneWeights:
		return "all 1"
	case info.WholeWeights:
		return "whole numbers"
	}
	return "real numbers"
}

// writeInfoJSON writes the description as a JSON object.
func writeInfoJSON(w io.Writer, description string, info datasets.Info) error {
	return jsonout.Write(w, struct {
		Data            string  `json:"data"`
		Rows            int     `json:"rows"`
		EmptyRows       int     `json:"empty_rows"`
		DuplicateRows   int     `json:"duplicate_rows"`
		Features        int     `json:"features"`
		LeastFeatures   int     `json:"least_features"` // of a row
		MedianFeatures  float64 `json:"median_features"`
		MeanFeatures    float64 `json:"mean_features"`
		MostFeatures    int     `json:"most_features"`
		DistinctIndices int     `json:"distinct_indices"`
		GreatestIndex   uint64  `json:"greatest_index"`
		Weights         string  `json:"weights"`
	}{
		description, info.Rows, info.EmptyRows, info.DuplicateRows, info.NNZ, info.MinNNZ, info.MedianNNZ, info.MeanNNZ, info.MaxNNZ,
		info.DistinctIndices, info.MaxIndex, weightsIn(info),
	})
}

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

func newDataGenerate() *cobra.Command {
	var options datasets.GenerateOptions
	var plant []string
	var out, pairsFile, weights string
	command := &cobra.Command{
		Use:   "generate",
		Short: "Generate Zipf-distributed sparse vectors with planted near-duplicates",
		Long: `generate writes sparse vectors in svmlight format. The same flags give the same
bytes on every machine. Files are written whole or not at all.

--plant 0.95:100 plants 100 pairs of vectors at cosine 0.95. --pairs names a file
for them: the two rows, counted from 1, the cosine wanted and the exact one,
separated by tabs.`,
		Example: `  fphash data generate --vectors 10000 --nnz 100 --out vectors.svm.gz
  fphash data generate --plant 0.99:50,0.9:50 --pairs pairs.tsv --out vectors.svm`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if options.Duplicates, err = parsePlanted(plant); err != nil {
				return err
			}
			options.Weights = datasets.WeightKind(weights)
			return generate(cmd.Context(), options, out, pairsFile, cmd.OutOrStdout())
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.Uint64Var(&options.Seed, "seed", 1, "another seed, another set")
	flags.IntVar(&options.Vectors, "vectors", 1000, "number of vectors, those of pairs included")
	flags.IntVar(&options.NNZ, "nnz", 100, "mean number of features of a vector")
	flags.Uint64Var(&options.Dimensions, "dimensions", 0, "indices are below this; 0 is all 2^64")
	flags.Float64Var(&options.Exponent, "exponent", 1, "exponent of Zipf's law")
	suggestion(flags, &weights, "weights", string(datasets.CountWeights), "weights: %s", []datasets.WeightKind{datasets.UnitWeights, datasets.CountWeights, datasets.TFIDFWeights})
	flags.StringSliceVar(&plant, "plant", nil, "near-duplicates to plant, as COSINE:PAIRS")
	flags.StringVar(&pairsFile, "pairs", "", "file for the planted pairs")
	flags.StringVarP(&out, "out", "o", "", "output `file`, compressed if it ends in .gz or .zst (default stdout)")
	return command
}

func parsePlanted(plant []string) ([]datasets.PlantedPairs, error) {
	var list []datasets.PlantedPairs
	for _, p := range plant {
		cosine, pairs, _ := strings.Cut(p, ":")
		c, err := strconv.ParseFloat(cosine, 64)
		n, err2 := strconv.Atoi(pairs)
		if err = errors.Join(err, err2); err != nil {
			return nil, fmt.Errorf("--plant %q: expected COSINE:PAIRS, such as 0.95:100", p)
		}
		list = append(list, datasets.PlantedPairs{Cosine: c, Pairs: n})
	}
	return list, nil
}

func generate(ctx context.Context, options datasets.GenerateOptions, out, pairsFile string, stdout io.Writer) error {
	var pairs []datasets.Pair
	err := writeTo(out, stdout, func(w io.Writer) error {
		set, planted, err := datasets.Generate[float64](ctx, options)
		if err != nil {
			return err
		}
		pairs = planted
		return datasets.WriteSVMLight(ctx, w, &set)
	})
	if err != nil || pairsFile == "" {
		return err
	}
	return wholefile.Write(pairsFile, func(w io.Writer) error {
		for _, p := range pairs {
			if _, err := fmt.Fprintf(w, "%d\t%d\t%v\t%.9f\n", p.A+1, p.B+1, p.Wanted, p.Cosine); err != nil {
				return err
			}
		}
		return nil
	})
}
