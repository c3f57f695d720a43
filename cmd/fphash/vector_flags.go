package main

import (
	"fmt"
	"math"

	"github.com/spf13/pflag"

	"simhashkit/datasets"
	"simhashkit/datasets/text/weights"
)

// weightsFlag adds --weights: the type of the weights of vectors, or the weighting scheme of texts.
func weightsFlag(flags *pflag.FlagSet, value *string) {
	suggestion(flags, value, "weights", datasets.Float32, "weights of vectors (default f32) or texts (default count)",
		append(datasets.WeightTypes(), namesOf(weights.Schemes())...))
}

// vectorReading is how vectors are read.
type vectorReading struct {
	base    uint64
	longest uint32 // line, in MiB
}

// add adds the flags.
func (r *vectorReading) add(flags *pflag.FlagSet) {
	flags.Uint64Var(&r.base, "base", 0, "subtract this from the indices of svmlight and vw")
	flags.Uint32Var(&r.longest, "max-line", datasets.DefaultMaxLine>>20, "longest line of svmlight, vw and mtx, in `MiB`")
}

// maxLine is the longest line in bytes.
func (r *vectorReading) maxLine() int { return int(min(uint64(r.longest)<<20, math.MaxInt)) }

// dataFlag adds --data, an alternative to the argument DATA.
func dataFlag(flags *pflag.FlagSet, data *string) {
	flags.StringVar(data, "data", *data, "the vectors, instead of the argument DATA")
	namesInput(flags, "data")
}

// dataArgument takes DATA from the arguments, unless --data has it.
func dataArgument(flags *pflag.FlagSet, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case flags.Changed("data"):
		return fmt.Errorf("DATA %s and --data %s: expected one of them", args[0], flags.Lookup("data").Value)
	}
	return flags.Set("data", args[0]) // as if it had been given there, for whoever asks what was
}

// targetFlags adds the flags that a threshold must satisfy, with their defaults.
func targetFlags(flags *pflag.FlagSet, cosine, recall, precision *float64) {
	flags.Var((*fraction)(cosine), "cosine", "least cosine of near-duplicates")
	flags.Var((*fraction)(recall), "recall", "share of the near-duplicates to find")
	flags.Var((*fraction)(precision), "precision", "share of near-duplicates among the pairs found")
}

// checkTarget refuses values out of range, and 0, which the packages would replace by their
// defaults.
func checkTarget(cosine, recall, precision float64) error {
	switch {
	case !(cosine > 0 && cosine < 1):
		return fmt.Errorf("--cosine %v: expected one above 0 and below 1", cosine)
	case !(recall > 0 && recall <= 1):
		return fmt.Errorf("--recall %v: expected one above 0 and at most 1", recall)
	case !(precision > 0 && precision <= 1):
		return fmt.Errorf("--precision %v: expected one above 0 and at most 1", precision)
	}
	return nil
}
