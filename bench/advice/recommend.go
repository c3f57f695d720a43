package advice

import (
	"fmt"
	"slices"
	"strings"

	"simhashkit/bench"
	"simhashkit/bench/benchname"
	"simhashkit/bench/summary"
)

// Recommend says in words which hash to use on the data set of that name: the cheapest in a whole sketch of those that are good on it, what changing from the default to
// it would gain, and what not to use. note says why there can be no verdict on the data; "" where there can. Without cells on the data set there is nothing to say.
func Recommend(rows []summary.Row, data, note string) []string {
	choices := Choices(rows, func(n benchname.Name) bool { return n.Get("data") == data })
	if len(choices) == 0 {
		return nil
	}
	r := recommendation{lines: []string{fmt.Sprintf("Which hash to use on %s", data), ""}}
	if note != "" {
		r.say("There is %s. No hash is recommended for these vectors; what the hashes do on other patterns of indices stands in the table above.", note)
		return append(r.lines, "")
	}
	good := slices.DeleteFunc(slices.Clone(choices), func(c *Choice) bool { return c.Verdict() != Good })
	timed := slices.DeleteFunc(slices.Clone(good), func(c *Choice) bool { return c.Sketch == nil })
	switch {
	case len(good) == 0:
		r.say("None of the %d combinations of hash and encoding is good on these vectors.", len(choices))
	case len(timed) == 0:
		r.say("Good: %s. None of them was timed in a whole sketch in this run, so it is not known which is cheapest.", names(good))
	default:
		r.cheapest(timed, len(good))
		r.elsewhere(rows, timed[0])
		r.fromDefault(choices, timed[0])
	}
	r.fault("Do not use on such vectors", choices, Weak)
	r.fault("Undecided", choices, Undecided)
	return append(r.lines, "")
}

type recommendation struct{ lines []string }

func (r *recommendation) say(format string, args ...any) {
	r.lines = append(r.lines, wrap(fmt.Sprintf(format, args...), lineWidth)...)
}

func nanoseconds(r *summary.Row) string { return fmt.Sprintf("%.2f ns", r.Summary.Center) }

// cheapest recommends the first, and says which are as cheap.
func (r *recommendation) cheapest(timed []*Choice, good int) {
	best := timed[0]
	r.say("Use %s: %s per feature of a whole sketch (kernel %s), the cheapest of the %d that were timed of %d that are good on these vectors: %s.",
		best, nanoseconds(best.Sketch), best.Sketch.Name.Get("kernel"), len(timed), good, best.Worst().Why())
	var near []string
	for _, c := range timed[1:] {
		if overlap(c.Sketch, best.Sketch) {
			near = append(near, fmt.Sprintf("%s (%s)", c, nanoseconds(c.Sketch)))
		}
	}
	if len(near) > 0 {
		r.say("As cheap within the noise of this run: %s.", strings.Join(near, ", "))
	}
}

// elsewhere warns of a choice that is good on these vectors and weak on what others may bring.
func (r *recommendation) elsewhere(rows []summary.Row, best *Choice) {
	for _, c := range Choices(rows, func(n benchname.Name) bool { return n.Get("data") == "" }) {
		if c.String() == best.String() && c.Verdict() == Weak {
			r.say("Mind that it is weak on other indices: %s.", c.Worst().Why())
		}
	}
}

// overlap reports whether the intervals of two medians have a value in common, so that it is not known which is less. Too few samples bound nothing.
func overlap(a, b *summary.Row) bool {
	return !(a.Summary.Hi < b.Summary.Lo || b.Summary.Hi < a.Summary.Lo)
}

// fromDefault says what changing to the best would gain.
func (r *recommendation) fromDefault(choices []*Choice, best *Choice) {
	i := slices.IndexFunc(choices, func(c *Choice) bool { return c.Hash == bench.DefaultHash && c.Encoding == "le64" })
	switch {
	case i < 0:
	case choices[i] == best:
		r.say("That is the default.")
	case choices[i].Verdict() == Weak:
		r.say("The default, %s, is weak here: %s.", choices[i], choices[i].Worst().Why())
	case choices[i].Sketch == nil:
		r.say("The default, %s, was not timed in this run.", choices[i])
	case overlap(choices[i].Sketch, best.Sketch):
		r.say("The default, %s, costs %s per feature: changing gains nothing that this run can tell.", choices[i], nanoseconds(choices[i].Sketch))
	default:
		was, is := choices[i].Sketch.Summary.Center, best.Sketch.Summary.Center
		r.say("The default, %s, costs %s per feature: changing saves %.0f%% of the time of a sketch. Fingerprints of two hashes cannot be compared: all have to be made anew.",
			choices[i], nanoseconds(choices[i].Sketch), 100*(was-is)/was)
	}
}

// fault lists the choices with that verdict, and why.
func (r *recommendation) fault(title string, choices []*Choice, verdict int) {
	first := true
	for _, c := range slices.Backward(choices) { // the worst first
		if c.Verdict() != verdict {
			continue
		}
		if first {
			r.lines = append(r.lines, title+":")
			first = false
		}
		r.lines = append(r.lines, c.Fault())
	}
}

func names(choices []*Choice) string {
	var list []string
	for _, c := range choices {
		list = append(list, c.String())
	}
	return strings.Join(list, ", ")
}

const lineWidth = 120

// Fault is an entry of a list: the hash, and why it is judged as it is.
func (c *Choice) Fault() string {
	return "  " + strings.Join(wrap(c.Name()+": "+c.Worst().Why(), lineWidth-4), "\n    ")
}

// wrap breaks a text into lines.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
