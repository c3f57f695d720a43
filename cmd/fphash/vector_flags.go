package main

import (
	"github.com/spf13/pflag"

	"simhashkit/datasets"
)

// weightsFlag adds --weights for the type of weights that vectors are read with.
func weightsFlag(flags *pflag.FlagSet, weights *string) {
	flags.StringVar(weights, "weights", datasets.Float32, "type of weight: "+joined(datasets.WeightTypes()))
}

// baseFlag adds --base for vectors that are read.
func baseFlag(flags *pflag.FlagSet, base *uint64) {
	flags.Uint64Var(base, "base", 0, "subtract this from the indices of an svmlight file")
}
