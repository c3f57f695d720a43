package table

import (
	"fmt"
	"io"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// WriteRecommendation writes which hash to use on the data set of that name, what changing from the
// default to it would gain, and what not to use. note says why there can be no verdict on the data;
// "" where there can. Without rows of quality on the data set there is nothing to say.
func WriteRecommendation(w io.Writer, list []resultfile.Row, data, note string) error {
	r := advice.Recommend(oneRun(list), data)
	if len(r.Choices) == 0 {
		return nil
	}
	out := paragraphs{fmt.Sprintf("Which hash to use on %s", data), ""}
	if note != "" {
		out.say("There is %s. No hash is recommended for these vectors; what the hashes do on other patterns of indices stands in the table above.", note)
	} else {
		out.recommend(r)
	}
	if _, err := fmt.Fprintln(w, strings.Join(append(out, ""), "\n")); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}

// paragraphs are lines of text.
type paragraphs []string

func (p *paragraphs) say(format string, args ...any) {
	*p = append(*p, wrap(fmt.Sprintf(format, args...), lineWidth)...)
}

func (p *paragraphs) recommend(r *advice.Recommendation) {
	on := r.Machines[0] // one run has one
	switch {
	case len(r.Good)+len(r.Fewer) == 0:
		p.say("None of the %d combinations of hash and encoding is good on these vectors.", len(r.Choices))
	case on.Best == nil:
		p.untimed(on.Untimed)
	default:
		p.cheapest(on)
		if elsewhere := on.Best.Elsewhere; elsewhere != nil {
			p.say("Mind that it is weak on other indices: %s.", why(on.Best.Choice, *elsewhere))
		}
		p.fromDefault(r, on)
	}
	if len(r.Good) > 0 && len(r.Fewer) > 0 {
		p.say("Good, but judged in fewer cases: %s.", names(r.Fewer))
	}
	p.list("Do not use on such vectors", r.Weak)
	p.list("Undecided", r.Undecided)
	if r.OtherWidths > 0 {
		p.say("These are compared at %d bits; what was measured at other widths stands in the table above.", r.Bits)
	}
}

// cheapest recommends the best, and says which are as cheap.
func (p *paragraphs) cheapest(on advice.Ranking) {
	best, timed := on.Best, 1+len(on.Alike)+len(on.Dearer)
	p.say("Use %s: %s per feature of %s (kernel %s), the cheapest of the %d that were timed of %d that are good on these vectors: %s.",
		best, cost(best.Time), what(on), best.Time.Row.Name.Get("kernel"), timed, timed+len(on.Untimed), why(best.Choice, best.Worst()))
	var alike []string
	for _, a := range on.Alike {
		alike = append(alike, fmt.Sprintf("%s (%s)", a, cost(a.Time)))
	}
	switch near := strings.Join(alike, ", "); {
	case on.Unclear > 0 && near != "":
		p.say("This run cannot tell apart: %s (%s), %s; more --samples would.", best, cost(best.Time), near)
	case on.Unclear > 0:
		p.say("This run is so noisy that its intervals reach medians of more than %v times that; more --samples would tell better.", advice.FarApart)
	case near != "":
		p.say("As cheap within the noise of this run: %s.", near)
	}
}

// untimed names the good ones, of which none was timed; apart those that are weak on what others
// may bring.
func (p *paragraphs) untimed(good []*advice.Choice) {
	var both, here []*advice.Choice
	for _, c := range good {
		if c.Elsewhere != nil {
			here = append(here, c)
		} else {
			both = append(both, c)
		}
	}
	if len(both) > 0 {
		p.say("Good: %s.", names(both))
	}
	if len(here) > 0 {
		p.say("Good on these vectors, weak elsewhere: %s.", names(here))
	}
	p.say("None of them was timed in this run, so it is not known which is cheapest.")
}

// fromDefault says what changing to the best would gain.
func (p *paragraphs) fromDefault(r *advice.Recommendation, on advice.Ranking) {
	c := r.Default
	if c == nil {
		return
	}
	time, timed := on.Times.Get(c)
	switch {
	case c == on.Best.Choice:
		p.say("That is the default.")
	case c.Verdict() != terms.Good:
		p.say("The default, %s, is %s here: %s.", c, terms.VerdictWord(c.Verdict()), why(c, c.Worst()))
	case !timed:
		p.say("The default, %s, was not timed in this run.", c)
	case on.Saves == 0:
		p.say("The default, %s, costs %s per feature: changing gains nothing that this run can tell.", c, cost(time))
	default:
		p.say("The default, %s, costs %s per feature: changing saves %.0f%% of the time of %s. Fingerprints of two hashes cannot be compared: all have to be made anew.",
			c, cost(time), 100*on.Saves, strings.Replace(what(on), "whole ", "", 1))
	}
}

// what says what the times are of.
func what(on advice.Ranking) string {
	if on.Times.Sketches {
		return "a whole sketch"
	}
	return "hashing alone"
}

func cost(t advice.Time) string { return fmt.Sprintf("%.2f ns", t.Median) }

// list names choices, and why each is judged as it is.
func (p *paragraphs) list(title string, choices []*advice.Choice) {
	if len(choices) > 0 {
		*p = append(append(*p, title+":"), faults(choices)...)
	}
}
