package advice

import (
	"strconv"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/rows"
	"simhashkit/bench/terms"
)

// Times are what choices cost, in ns per feature: of the same thing with each, measured in one run,
// each with its best kernel.
type Times struct {
	Of string // what was timed: "whole sketch, f32 weights, vectors: 100 features"

	sketches bool
	asked    bool // on the vectors that were asked about
	timed    int  // how many of the choices were
	by       map[timedChoice]Time
}

// Time is what a choice costs, and the row that says so.
type Time struct {
	resultfile.Figure
	Row rows.Cell
}

// timedChoice has 0 bits where the width makes no difference.
type timedChoice struct {
	hash, encoding string
	bits           int
}

// Get returns the time of a choice.
func (t Times) Get(c *Choice) (Time, bool) {
	time, ok := t.by[timedChoice{c.Hash, c.Encoding, c.Bits}]
	if !ok {
		time, ok = t.by[timedChoice{c.Hash, c.Encoding, 0}]
	}
	return time, ok
}

// Any reports whether any of the choices was timed.
func (t Times) Any() bool { return t.timed > 0 }

// Sketches reports whether the times are of whole sketches; else they are of hashing alone.
func (t Times) Sketches() bool { return t.sketches }

// Timed returns the times of a base, Sketch or Hash, by kernels that are wanted: those of what was
// timed for the most of the choices in one run on the machine, the last of as many. Those on the
// vectors of a data set, where one is named, come before all others. Sketches count with f32
// weights and on one core.
func Timed(m rows.Machine, base string, choices []*Choice, data string, wanted func(kernel string) bool) Times {
	var best Times
	for _, run := range m.Runs(base) {
		var order []string
		groups := map[string]*Times{}
		for _, c := range run {
			unit := terms.NanosecondsPerKey
			if base == terms.Sketch {
				unit = terms.NanosecondsPerFeature
			}
			f, ok := c.Get(unit)
			if kernel := c.Name.Get("kernel"); !ok || f.Median <= 0 || kernel == terms.Naive || !wanted(kernel) || c.Name.Get("cpus") != "" ||
				base == terms.Sketch && c.Name.Get("weights") != "f32" {
				continue
			}
			of := timedOf(c)
			if groups[of] == nil {
				order = append(order, of)
				groups[of] = &Times{Of: of, sketches: base == terms.Sketch, asked: data != "" && c.Name.Get("data") == data, by: map[timedChoice]Time{}}
			}
			groups[of].keepFaster(Time{f, c})
		}
		for _, of := range order {
			if t := groups[of]; t.count(choices) > 0 && !best.before(*t) {
				best = *t
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

func (t Times) keepFaster(time Time) {
	bits, _ := strconv.Atoi(time.Row.Name.Get("f"))
	key := timedChoice{HashOf(time.Row), time.Row.Encoding(), bits}
	if former, ok := t.by[key]; !ok || time.Median < former.Median {
		t.by[key] = time
	}
}

// count counts the choices that were timed.
func (t *Times) count(choices []*Choice) int {
	for _, c := range choices {
		if _, ok := t.Get(c); ok {
			t.timed++
		}
	}
	return t.timed
}

// timedOf says in words what a row of times is of.
func timedOf(c rows.Cell) string {
	n := c.Name
	if n.Base == terms.Hash {
		return "hashing alone, " + n.Get("n") + " keys at a time"
	}
	vectors := n.Get("data")
	if vectors == "" {
		vectors = n.Get("nnz") + " features"
	}
	return strings.Join([]string{"whole sketch", n.Get("weights") + " weights", "vectors: " + vectors}, ", ")
}
