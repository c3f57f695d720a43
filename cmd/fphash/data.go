package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/datasets"
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
