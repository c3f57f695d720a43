package page

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"simhashkit/bench/terms"
	"simhashkit/internal/english"
	"simhashkit/results/measure/evidence"
	"simhashkit/results/measure/texts/measure"
)

// unfit are the collections that simhash is no tool for.
func (f figures) unfit() (string, error) {
	out := line("", "features, weights", "exact cosine finds", "256 bits find", "64 bits find", "defaults find", "right") + rule(2, 5)
	for _, c := range f.all {
		if !f.isUnfit(c) {
			continue
		}
		shown := measure.Shown[c.language]
		exact := func(d measure.Definition) float64 {
			return f.values[c.rows(evidence.Texts, keysOf(d, "by", "cosine")...)+" "+p90]
		}
		best := slices.MaxFunc(shown, func(a, b measure.Definition) int { return cmp.Compare(exact(a), exact(b)) })
		cells := []string{languages[c.language] + ": " + c.String(), "`" + best.Features + "`, `" + string(best.Weights) + "`"}
		var err error
		for _, way := range [][]string{{"by", "cosine"}, {"f", "256"}, {"f", "64"}} {
			if cells, err = f.cells(cells, c.rows(evidence.Texts, keysOf(best, way...)...), p90); err != nil {
				return "", err
			}
		}
		if cells, err = f.cells(cells, c.rows(evidence.Texts, keysOf(shown[0], "f", "64")...), evidence.Recall+evidence.AtDefaultK, evidence.Precision+evidence.AtDefaultK); err != nil {
			return "", err
		}
		out += line(cells...)
	}
	return out, nil
}

// collections lists what was measured on.
func (f figures) collections() (string, error) {
	out := line("", "near-duplicates by", "texts", "characters, median", "pairs", "near-duplicates", "unjudged", "± of a found part") + rule(2, 6)
	for _, c := range f.all {
		name := c.rows(evidence.Texts)
		cells := []string{languages[c.language] + ": " + c.String(), c.truth}
		for _, unit := range []string{evidence.Documents, evidence.MedianLength, terms.Pairs, evidence.SamePairs, evidence.UnjudgedPairs} {
			v, err := f.value(name, unit)
			if err != nil {
				return "", err
			}
			cells = append(cells, strconv.FormatFloat(v, 'f', 0, 64))
		}
		// at most, which is at a half, and in 95 of 100 cases
		cells = append(cells, english.Hundred(1.96*math.Sqrt(0.25/f.values[name+" "+evidence.SamePairs])))
		out += line(cells...)
	}
	return out, nil
}
