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
