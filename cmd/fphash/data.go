package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/datasets"
	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/dedup/source"
	"simhashkit/internal/docformat"
	"simhashkit/internal/english"
	"simhashkit/internal/wholefile"
)

func newData() *cobra.Command {
	command := &cobra.Command{
		Use:   "data",
		Short: "Describe, generate and count data sets",
	}
	command.AddCommand(newDataInfo(), newDataGenerate(), newDataFrequencies())
	return command
}

func newDataInfo() *cobra.Command {
	var reading vectorReading
	command := &cobra.Command{
		Use:   "info DATA",
		Short: "Describe a data set: rows, features, indices, duplicates, weights",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			info, description, err := datasets.Describe(cmd.Context(), args[0], datasets.ReadOptions{Base: reading.base, MaxLine: reading.maxLine()})
			if err != nil {
				return orDedup(err, args[0])
			}
			return writeInfo(cmd.OutOrStdout(), description, info)
		},
	}
	reading.add(command.Flags())
	return command
}

func writeInfo(w io.Writer, description string, info datasets.Info) error {
	return writeFacts(w, description+"\n",
		"rows", info.Rows,
		"empty rows", info.EmptyRows,
		"exact duplicates of an earlier row", info.DuplicateRows,
		"features (nnz)", info.NNZ,
		"features of a row: least", info.MinNNZ,
		"median", info.MedianNNZ,
		"mean", fmt.Sprintf("%.1f", info.MeanNNZ),
		"most", info.MaxNNZ,
		"distinct indices", info.DistinctIndices,
		"greatest index", info.MaxIndex,
		"weights", weightsIn(info))
}

// weightsIn describes the weights of a data set.
func weightsIn(info datasets.Info) string {
	words := "real numbers"
	if info.WholeWeights {
		words = "whole numbers"
	}
	switch {
	case info.OneWeights:
		return "all 1"
	case info.SignedWeights:
		return words + ", some negative"
	}
	return words
}

func newDataGenerate() *cobra.Command {
	var options datasets.GenerateOptions
	var plant []string
	var out, pairsFile string
	command := &cobra.Command{
		Use:   "generate",
		Short: "Generate Zipf-distributed sparse vectors with planted near-duplicates",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if options.Duplicates, err = parsePlanted(plant); err != nil {
				return err
			}
			if out != "" && out == pairsFile {
				return fmt.Errorf("--pairs %s: expected a file other than that of --out", pairsFile)
			}
			return generate(cmd.Context(), options, out, pairsFile, cmd.OutOrStdout())
		},
	}
	flags := command.Flags()
	flags.Uint64Var(&options.Seed, "seed", 1, "random seed")
	flags.IntVar(&options.Vectors, "vectors", 1000, "number of vectors, planted ones included")
	flags.IntVar(&options.NNZ, "nnz", 100, "mean number of features of a vector")
	flags.Uint64Var(&options.Dimensions, "dimensions", 0, "number of possible indices; 0 means 2^64")
	suggestion(flags, &options.Weights, "weights", "counts", "types of weights: %s", []string{"unit", "counts", "tfidf"})
	flags.StringSliceVar(&plant, "plant", nil, "near-duplicates to plant, as COSINE:PAIRS")
	flags.StringVar(&pairsFile, "pairs", "", "write the list of planted pairs to this `file`")
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

// frequenciesFlags are the flags of fphash data frequencies.
type frequenciesFlags struct {
	hints     source.Hints
	features  string
	keepGoing bool
	out       string
}

func newDataFrequencies() *cobra.Command {
	var f frequenciesFlags
	command := &cobra.Command{
		Use:   "frequencies DOCUMENTS...",
		Short: "Count the documents that contain each word, for TF-IDF",
		Args:  cobra.MinimumNArgs(1),
		RunE:  f.run,
	}
	flags := command.Flags()
	suggestion(flags, &f.hints.Format, "documents", docformat.Auto, "%s", docformat.Names())
	flags.StringVar(&f.hints.Text, "text", "", `field or column of the text (default "text")`)
	flags.StringVar(&f.hints.Charset, "charset", "", charsetUsage)
	suggestion(flags, &f.features, "features", usualFeatures, featuresUsage, featureKinds)
	keepGoingFlag(flags, &f.keepGoing)
	outFlag(flags, &f.out)
	return command
}

func (f *frequenciesFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
	analyzer, err := analyzerOf(f.features)
	if err != nil {
		return err
	}
	f.hints.Texts, f.hints.Once = slices.ContainsFunc(textNames, cmd.Flags().Changed), true
	s, err := source.Open(ctx, args, f.hints)
	if err != nil {
		return err
	}
	defer s.Close()
	if s.Kind != source.Texts {
		return fmt.Errorf("%s contains %s: expected texts, whose words are counted; if it has texts, name their format with --documents", s.Name, s.Kind)
	}
	bad := 0
	options := s.Options(nil)
	options.ID = "" // not needed
	if f.keepGoing {
		options.OnError = func(err error) {
			bad++
			fmt.Fprintln(stderr, "fphash:", err)
		}
	}
	counted, err := count(ctx, args, options, analyzer, newProgress(stderr))
	if err != nil {
		return withFlags(err)
	}
	if counted.Documents() == 0 {
		return errors.New("no documents in " + s.Name)
	}
	if err := writeTo(f.out, cmd.OutOrStdout(), counted.Write); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s, %s\n", english.Count(int(counted.Documents()), "document"), english.Count(counted.Len(), "different feature"))
	return leftOut(bad, "malformed record")
}

// count counts the documents with each feature.
func count(ctx context.Context, paths []string, options documents.Options, analyzer *text.Analyzer, p *progress) (_ *weights.Builder, err error) {
	defer p.clear()
	files, err := documents.Expand(paths)
	if err != nil {
		return nil, err
	}
	reader, err := documents.OpenAll(ctx, files, options)
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, reader.Close()) }()
	builder := weights.NewBuilder(analyzer.Options().String())
	var d documents.Document
	var features [][]byte
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		switch err := reader.Read(&d); err {
		case nil:
		case io.EOF:
			return builder, nil
		default:
			return nil, err
		}
		features = analyzer.Append(features[:0], d.Text)
		builder.Add(features)
		p.report(status{step: "counting", count: int(builder.Documents()), unit: "documents", detail: d.File})
	}
}
