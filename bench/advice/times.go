package advice

import (
	"cmp"
	"slices"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// Times are the costs of choices in ns per feature: of the same work, in one run, each with its
// best kernel.
type Times struct {
	Of string // what was timed: "whole sketch, f32 weights, vectors: 100 features"

	Sketches bool // whole ones; else it was hashing alone

	asked bool // on the vectors that were asked about
	timed int  // how many of the choices were
	by    map[choiceKey]Time
}

// Time is the cost of a choice, and its row.
type Time struct {
	resultfile.Figure
	Row  Cell
	unit string
}

// Get returns the time of a choice.
func (t Times) Get(c *Choice) (Time, bool) {
	time, ok := t.by[choiceKey{c.Hash, c.Encoding, c.Bits}]
	if !ok {
		time, ok = t.by[choiceKey{c.Hash, c.Encoding, 0}]
	}
	return time, ok
}

// against returns the time as a part of another one of the same run, sample by sample: rounds that
// something else slowed down slowed both down.
func (t Time) against(o Time) resultfile.Figure {
	a, b := t.Row.samples[t.unit], o.Row.samples[o.unit]
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = a[i].Value / b[i].Value
	}
	return resultfile.NewFigure(ratios)
}

// Any reports whether any of the choices was timed.
func (t Times) Any() bool { return t.timed > 0 }

// TimesOf returns what the choices cost on a machine: whole sketches or, where that was timed for
// more of them, hashing alone.
func TimesOf(m Machine, choices []*Choice, data string) Times {
	sketches, hashing := timed(m, terms.Sketch, choices, data), timed(m, terms.Hash, choices, data)
	if hashing.before(sketches) {
		return hashing
	}
	return sketches
}

// timed returns the times of a base, Sketch or Hash: those of what was timed for the most of the
// choices in one run on the machine, the last of as many. Those on the vectors of a data set, where
// one is named, come before all others. Sketches count with f32 weights and on one core.
func timed(m Machine, base string, choices []*Choice, data string) Times {
	unit := terms.NanosecondsPerKey
	if base == terms.Sketch {
		unit = terms.NanosecondsPerFeature
	}
	var best Times
	for _, run := range m.Runs(base) {
		usable := slices.DeleteFunc(slices.Clone(run), func(c Cell) bool {
			ns, ok := c.Value(unit)
			return !ok || ns <= 0 || c.Name.Get("kernel") == terms.Naive || c.Name.Get("cpus") != "" || base == terms.Sketch && c.Name.Get("weights") != "f32"
		})
		for _, same := range GroupBy(usable, timedOf) {
			t := Times{Of: timedOf(same[0]), Sketches: base == terms.Sketch, asked: data != "" && same[0].Name.Get("data") == data, by: map[choiceKey]Time{}}
			for _, c := range same {
				f, _ := c.Get(unit)
				if former, ok := t.by[keyOf(c)]; !ok || f.Median < former.Median {
					t.by[keyOf(c)] = Time{f, c, unit}
				}
			}
			for _, c := range choices {
				if _, ok := t.Get(c); ok {
					t.timed++
				}
			}
			if t.Any() && !best.before(t) {
				best = t
			}
		}
	}
	return best
}

// before reports whether t says more than o.
func (t Times) before(o Times) bool {
	if t.Any() && o.Any() && t.asked != o.asked {
		return t.asked
	}
	return t.timed > o.timed
}

// timedOf describes what a row of times measured.
func timedOf(c Cell) string {
	n := c.Name
	if n.Base == terms.Hash {
		return "hashing alone, " + n.Get("n") + " keys at a time"
	}
	return "whole sketch, " + n.Get("weights") + " weights, vectors: " + cmp.Or(n.Get("data"), n.Get("nnz")+" features")
}
