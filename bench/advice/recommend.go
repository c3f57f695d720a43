package advice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
)

// Recommend says in words which hash to use on the data set of that name: the cheapest in a whole
// sketch of those that are good on it, what changing from the default to it would gain, and what
// not to use. note says why there can be no verdict on the data; "" where there can. Without cells
// on the data set there is nothing to say.
func Recommend(rows []resultfile.Summary, data, note string) []string {
	choices := Choices(rows, func(n benchname.Name) bool { return n.Get("data") == data })
	if len(choices) == 0 {
		return nil
	}
	r := recommendation{lines: []string{fmt.Sprintf("Which hash to use on %s", data), ""}}
	if note != "" {
		r.say("There is %s. No hash is recommended for these vectors; what the hashes do on other patterns of indices stands in the table above.", note)
		return append(r.lines, "")
	}
	good := slices.DeleteFunc(slices.Clone(choices), func(c *Choice) bool { return c.Verdict() != terms.Good })
	timed := slices.DeleteFunc(slices.Clone(good), func(c *Choice) bool { return c.Sketch == nil })
	elsewhere := weakElsewhere(rows)
	switch {
	case len(good) == 0:
		r.say("None of the %d combinations of hash and encoding is good on these vectors.", len(choices))
	case len(timed) == 0:
		r.untimed(good, elsewhere)
	default:
		r.cheapest(timed, len(good))
		if c := elsewhere[timed[0].String()]; c != nil {
			r.say("Mind that it is weak on other indices: %s.", c.Worst().Why())
		}
		r.fromDefault(choices, timed[0])
	}
	r.fault("Do not use on such vectors", choices, terms.Weak)
	r.fault("Undecided", choices, terms.Undecided)
	return append(r.lines, "")
}

type recommendation struct{ lines []string }

func (r *recommendation) say(format string, args ...any) {
	r.lines = append(r.lines, wrap(fmt.Sprintf(format, args...), lineWidth)...)
}

func nanoseconds(r *resultfile.Summary) string { return fmt.Sprintf("%.2f ns", r.Median) }

// alike is how many times the best median another one may be to be called as cheap: beyond that it
// is the run that says little, whatever intervals overlap.
const alike = 1.5

// cheapest recommends the first, and says which are as cheap.
func (r *recommendation) cheapest(timed []*Choice, good int) {
	best := timed[0]
	r.say("Use %s: %s per feature of a whole sketch (kernel %s), the cheapest of the %d that were timed of %d that are good on these vectors: %s.",
		best, nanoseconds(best.Sketch), best.Sketch.Name.Get("kernel"), len(timed), good, best.Worst().Why())
	var near []string
	unclear := 0 // within its noise, and surely not as cheap
	for _, c := range timed[1:] {
		switch {
		case !overlap(c.Sketch, best.Sketch):
		case c.Sketch.Median > alike*best.Sketch.Median:
			unclear++
		default:
			near = append(near, fmt.Sprintf("%s (%s)", c, nanoseconds(c.Sketch)))
		}
	}
	switch {
	case unclear > 0 && len(near) > 0:
		r.say("This run cannot tell apart: %s (%s), %s; more --samples would.", best, nanoseconds(best.Sketch), strings.Join(near, ", "))
	case unclear > 0:
		r.say("This run is so noisy that its intervals reach medians of more than %v times that; more --samples would tell better.", alike)
	case len(near) > 0:
		r.say("As cheap within the noise of this run: %s.", strings.Join(near, ", "))
	}
}

// untimed names the good ones, of which none was timed; apart those that are weak on what others
// may bring.
func (r *recommendation) untimed(good []*Choice, weak map[string]*Choice) {
	var both, here []*Choice
	for _, c := range good {
		if weak[c.String()] != nil {
			here = append(here, c)
		} else {
			both = append(both, c)
		}
	}
	if len(both) > 0 {
		r.say("Good: %s.", names(both))
	}
	if len(here) > 0 {
		r.say("Good on these vectors, weak elsewhere: %s.", names(here))
	}
	r.say("None of them was timed in a whole sketch in this run, so it is not known which is cheapest.")
}

// weakElsewhere returns, by name, the choices that are weak on indices other than those of a data
// set.
func weakElsewhere(rows []resultfile.Summary) map[string]*Choice {
	weak := map[string]*Choice{}
	for _, c := range Choices(rows, func(n benchname.Name) bool { return n.Get("data") == "" }) {
		if c.Verdict() == terms.Weak {
			weak[c.String()] = c
		}
	}
	return weak
}

// overlap reports whether the intervals of two medians have a value in common, so that it is not
// known which is less. Too few samples bound nothing.
func overlap(a, b *resultfile.Summary) bool {
	return !(a.Hi < b.Lo || b.Hi < a.Lo)
}

// fromDefault says what changing to the best would gain.
func (r *recommendation) fromDefault(choices []*Choice, best *Choice) {
	i := slices.IndexFunc(choices, func(c *Choice) bool { return c.Hash == fphash.DefaultHash && c.Encoding == "le64" })
	switch {
	case i < 0:
	case choices[i] == best:
		r.say("That is the default.")
	case choices[i].Verdict() == terms.Weak:
		r.say("The default, %s, is weak here: %s.", choices[i], choices[i].Worst().Why())
	case choices[i].Sketch == nil:
		r.say("The default, %s, was not timed in this run.", choices[i])
	case overlap(choices[i].Sketch, best.Sketch):
		r.say("The default, %s, costs %s per feature: changing gains nothing that this run can tell.", choices[i], nanoseconds(choices[i].Sketch))
	default:
		was, is := choices[i].Sketch.Median, best.Sketch.Median
		r.say("The default, %s, costs %s per feature: changing saves %.0f%% of the time of a sketch. Fingerprints of two hashes cannot be compared: all have to be made anew.",
			choices[i], nanoseconds(choices[i].Sketch), 100*(was-is)/was)
	}
}

// fault lists the choices with that verdict, and why, the worst first.
func (r *recommendation) fault(title string, choices []*Choice, verdict int) {
	list := slices.DeleteFunc(slices.Clone(choices), func(c *Choice) bool { return c.Verdict() != verdict })
	slices.SortStableFunc(list, func(a, b *Choice) int { return cmp.Compare(a.Worst().known(), b.Worst().known()) })
	if len(list) > 0 {
		r.lines = append(append(r.lines, title+":"), Faults(list)...)
	}
}
