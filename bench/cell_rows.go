package bench

import (
	"fmt"
	"math"
	"strconv"

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
	if c.curves {
		rows.distances(c.renamed(terms.Distance), r)
		rows.nearDuplicates(c.renamed(terms.NearDuplicates), r.Task)
	}
	if c.avalanche {
		rows.avalanche(benchname.New(terms.Avalanche, "hash", r.Hash, "encoding", r.Encoding, "f", strconv.Itoa(r.Bits)), r.Bit.Avalanche)
	}
	return rows
}

// renamed is the cell's name with another base.
func (c Cell) renamed(base string) benchname.Name {
	return benchname.Name{Base: base, Keys: c.Name.Keys}
}

// with is a name with one more key at its end.
func with(n benchname.Name, key string, value int) benchname.Name {
	n.Keys = append(n.Keys[:len(n.Keys):len(n.Keys)], benchname.Key{Key: key, Value: strconv.Itoa(value)})
	return n
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
		add(terms.CopiedBits, float64(r.Bit.Dependent-len(r.Bit.Constant)))
		add("worst-bit-bias", r.Bit.Bias.Value)
		add(terms.BiasP, r.Bit.Bias.P)
		add("worst-bit-correlation", r.Bit.Pairwise.Value)
		add(terms.CorrelationP, r.Bit.Pairwise.P)
	}
	add("worst-avalanche", r.Bit.Avalanche.Deviation.Value)
	add(terms.AvalancheP, r.Bit.Avalanche.Deviation.P)
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

// bandDegrees is the width of a band of angles in rows of Distance.
const bandDegrees = 10

// bandOf returns the band of an angle in radians; 90 degrees belong to those below. Angles that
// angles of whole degrees round to, as the 60 degrees of vectors with half of their features in
// common, are in one band, whatever their last digits.
func bandOf(angle float64) int {
	const parts = 1e9 // of a degree
	degrees := math.Round(angle*180/math.Pi*parts) / parts
	return max(int(math.Ceil(degrees/bandDegrees))-1, 0)
}

// distances says how far apart fingerprints lie, band by band: the mean over the pairs, and the
// standard deviation that one pair has over the keyings.
func (rows *exactRows) distances(name benchname.Name, r *quality.Result) {
	type sum struct{ mean, variance, idealMean, idealVariance, pairs float64 }
	var bands [180 / bandDegrees]sum
	for _, p := range r.Points {
		b := &bands[bandOf(p.Angle)]
		b.mean += p.Hash.Mean
		b.variance += float64(p.Hash.Deviation * p.Hash.Deviation)
		b.idealMean += p.Ideal.Mean
		b.idealVariance += float64(p.Ideal.Deviation * p.Ideal.Deviation)
		b.pairs++
	}
	for i, b := range bands {
		if b.pairs == 0 {
			continue
		}
		n := with(name, "angle", i*bandDegrees+bandDegrees/2)
		rows.add(n, terms.MeanDistance, b.mean/b.pairs)
		rows.add(n, terms.DeviationOfDistance, math.Sqrt(b.variance/b.pairs))
		rows.add(n, terms.Ideal+terms.MeanDistance, b.idealMean/b.pairs)
		rows.add(n, terms.Ideal+terms.DeviationOfDistance, math.Sqrt(b.idealVariance/b.pairs))
		rows.add(n, terms.Pairs, b.pairs)
	}
}

func (rows *exactRows) nearDuplicates(name benchname.Name, t quality.Task) {
	for k := range t.Hash {
		n := with(name, "k", k)
		for _, of := range []struct {
			prefix string
			quality.Retrieval
		}{{"", t.Hash[k]}, {terms.Ideal, t.Ideal[k]}} {
			if recall, ok := of.Recall(); ok {
				rows.add(n, of.prefix+terms.Recall, recall)
			}
			if precision, ok := of.Precision(); ok {
				rows.add(n, of.prefix+terms.Precision, precision)
			}
		}
	}
}

func (rows *exactRows) avalanche(name benchname.Name, a quality.Avalanche) {
	for in, flips := range a.Flips {
		n := with(name, "in", in)
		for out, count := range flips {
			rows.add(n, fmt.Sprint(terms.FlipOut, out), float64(count)/float64(a.Keys))
		}
	}
}
