package bench

import (
	"math"
	"slices"
	"strconv"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
)

// ResultRows returns the result rows, and the descriptions of their units, of a hash that is not a
// cell of a suite, such as a hash of the user. All are exact.
func ResultRows(results []*quality.Result) (rows []resultfile.Row, units []resultfile.Unit) {
	for _, r := range results {
		name := benchname.New(terms.Quality, "hash", r.Hash, "encoding", r.Encoding, "pattern", r.Pattern, "weights", r.Weights, "f", strconv.Itoa(r.Bits))
		rows = append(rows, qualityRows(name, r)...)
	}
	return rows, describe(rows, unitsOf(rows))
}

// qualityRows returns the rows of a result. A figure that does not exist is left out.
func qualityRows(name benchname.Name, r *quality.Result) (rows []resultfile.Row) {
	add := func(unit string, value float64) {
		if !math.IsNaN(value) && !math.IsInf(value, 0) {
			rows = append(rows, resultfile.Row{Name: name.String(), Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
		}
	}
	for _, b := range []struct {
		quality.Band
		suffix string
	}{{r.All, ""}, {r.Cos90, terms.Cos90}} {
		if b.Defined {
			add(terms.EffectiveBits+b.suffix, b.Effective.Value)
			add(terms.EffectiveBits+b.suffix+terms.Low, b.Effective.Low)
			add(terms.EffectiveBits+b.suffix+terms.High, b.Effective.High)
			add(terms.Bias+b.suffix, b.Hash.Bias)
			add(terms.RMSE+b.suffix, b.Hash.RMSE)
			add(terms.VarianceRatio+b.suffix, b.VarianceRatio)
		}
	}
	if r.Bit.Tested {
		add(terms.ConstantBits, float64(len(r.Bit.Constant)))
		add(terms.CopiedBits, float64(len(r.Bit.Copied)))
		add("worst-bit-bias", r.Bit.Bias.Value)
		add(terms.BiasP, r.Bit.Bias.P)
		add("worst-bit-correlation", r.Bit.Pairwise.Value)
		add(terms.CorrelationP, r.Bit.Pairwise.P)
	}
	add("worst-avalanche", r.Bit.Avalanche.Value)
	add(terms.AvalancheP, r.Bit.Avalanche.P)
	if random := r.Bit.Random; random.Pairs > 0 {
		add(terms.UnrelatedMeanRatio, random.Mean/random.IdealMean)
		add(terms.UnrelatedVarianceRatio, random.Variance/random.IdealVariance)
		add(terms.UnrelatedMeanP, random.MeanP)
		add(terms.UnrelatedVarianceP, random.VarianceP)
	}
	add(terms.Verdict, float64(r.Verdict))
	add(terms.Keyings, float64(r.Keyings))
	add(terms.Pairs, float64(r.All.Pairs))
	add(terms.Pairs+terms.Cos90, float64(r.Cos90.Pairs))
	return rows
}

// unitsOf lists the units of the rows, each once.
func unitsOf(rows []resultfile.Row) (units []string) {
	seen := map[string]bool{}
	for _, r := range rows {
		if !seen[r.Unit] {
			seen[r.Unit] = true
			units = append(units, r.Unit)
		}
	}
	return slices.Clip(units)
}

// describe returns the descriptions of the units of the rows, some of which are exact.
func describe(rows []resultfile.Row, exact []string) []resultfile.Unit {
	var units []resultfile.Unit
	for _, name := range unitsOf(rows) {
		units = append(units, resultfile.Unit{Name: name, Exact: slices.Contains(exact, name), Better: terms.Better(name)})
	}
	return units
}
