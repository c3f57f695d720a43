package bench

import (
	"math"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
)

// exactRows collects rows of figures that are exact. A figure that does not exist is left out.
type exactRows []resultfile.Row

func (rows *exactRows) add(name benchname.Name, unit string, value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	*rows = append(*rows, resultfile.Row{Name: name.String(), Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
}

// rows turns a result into the rows of its cell.
func (c Cell) rows(r *quality.Result) []resultfile.Row {
	var rows exactRows
	rows.quality(c.Name, r)
	return rows
}

func (rows *exactRows) quality(name benchname.Name, r *quality.Result) {
	add := func(unit string, value float64) { rows.add(name, unit, value) }
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
	add(terms.Verdict, float64(terms.VerdictOf(string(r.Verdict.Judgement))))
	add(terms.Keyings, float64(r.Keyings))
	add(terms.Pairs, float64(r.All.Pairs))
	add(terms.Pairs+terms.Cos90, float64(r.Cos90.Pairs))
}
