package measure

import (
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/terms"
	"simhashkit/datasets/text/weights"
	"simhashkit/results/measure/evidence"
	"simhashkit/results/measure/texts/collections"
)

// describe adds what the collection is.
func (m *measurement) describe() {
	var judgements [3]int
	for _, p := range m.pairs {
		judgements[p.Judgement]++
	}
	lengths := make([]int, len(m.Texts))
	for i, t := range m.Texts {
		lengths[i] = utf8.RuneCountInString(t)
	}
	slices.Sort(lengths)
	name := nameOf(evidence.Texts, m.Collection, "truth", m.Truth)
	m.add(name, evidence.Documents, float64(len(m.Texts)))
	m.add(name, terms.Pairs, float64(len(m.pairs)))
	m.add(name, evidence.SamePairs, float64(judgements[collections.Same]))
	m.add(name, evidence.UnjudgedPairs, float64(judgements[collections.Unjudged]))
	m.add(name, evidence.MedianLength, float64(lengths[len(lengths)/2]))
}

// Figures that a threshold must reach.
const (
	leastPrecision      = 0.9
	mostFalsePerMillion = 1
)

// thresholds adds what the best thresholds come to, and with a way the default one.
func (m *measurement) thresholds(name benchname.Name, c *curve, way *Way) {
	list := c.all()
	best, ok := most(list, func(f found) bool { return f.precision >= leastPrecision })
	m.add(name, evidence.Recall+evidence.AtPrecision90, best.recall)
	if ok {
		m.add(name, evidence.Threshold+evidence.AtPrecision90, thresholdOf(best, way))
	}
	best, _ = most(list, func(f found) bool { return f.falsePerMillion <= mostFalsePerMillion })
	m.add(name, evidence.Recall+evidence.AtOneInAMillion, best.recall)
	best = balanced(list)
	m.add(name, evidence.Recall+evidence.AtBestF1, best.recall)
	m.add(name, evidence.Precision+evidence.AtBestF1, best.precision)
	m.add(name, evidence.Threshold+evidence.AtBestF1, thresholdOf(best, way))
	if way != nil {
		usual := list[way.DefaultK()]
		m.add(name, evidence.Recall+evidence.AtDefaultK, usual.recall)
		m.add(name, evidence.Precision+evidence.AtDefaultK, usual.precision)
	}
}

func thresholdOf(f found, way *Way) float64 {
	if way == nil {
		return cosineOf(f.threshold)
	}
	return float64(f.threshold)
}

// shown reports whether all thresholds of a definition have rows: those that are recommended, and
// the default.
func (m *measurement) shown(d Definition) bool {
	return slices.Contains(Shown[m.Language], d)
}

// Shown are the definitions by language that are looked at closely: each k has a row, and unfit
// collections are measured by these alone. The first is the default of the commands.
var Shown = map[string][]Definition{
	collections.English: {
		{"words", weights.Count}, {"words,fold", weights.LogCount}, {"words,fold", weights.LogTFIDF}, {"words,fold,n=2", weights.LogCount},
		{"characters,fold,n=5", weights.LogCount}, {"characters,fold,n=5", weights.LogTFIDF},
	},
	collections.Chinese: {
		{"words", weights.Count}, {"words", weights.LogCount}, {"words", weights.LogTFIDF}, {"words,lang=zh", weights.LogCount}, {"characters,n=2", weights.LogCount},
	},
	collections.Japanese: {
		{"words", weights.Count}, {"words", weights.LogCount}, {"words", weights.LogTFIDF}, {"characters,n=3", weights.LogCount},
	},
}

// curve adds what each k comes to, up to some third of the bits.
func (m *measurement) curve(name benchname.Name, c *curve, way Way) {
	list := c.all()
	step := way.Bits / 64
	for k := 0; k <= way.Bits*5/16; k += step {
		at := benchname.Name{Base: evidence.TextsByK, Keys: append(slices.Clone(name.Keys), benchname.Key{Key: "k", Value: strconv.Itoa(k)})}
		m.add(at, evidence.Recall, list[k].recall)
		m.add(at, evidence.Precision, list[k].precision)
		m.add(at, evidence.FalsePerMillion, list[k].falsePerMillion)
	}
}

// ranks returns the rank of each value, those of equal values their mean.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	result := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			result[i] = float64(from+to-1) / 2
		}
		from = to
	}
	return result
}
