package table

import (
	"fmt"
	"io"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/internal/english"
	"simhashkit/internal/texttable"
)

// verdictWidth is that of the last lines, which are read first.
const verdictWidth = 80

// WriteRecommendation writes which hash to use on the data set of that name or, with "", on the
// vectors of all kinds that the rows are of, and what changing from the default to it would gain.
// Above that it says what is wrong with the others on the data set. note says why there can be no
// verdict on it; "" where there can. Without rows of quality there is nothing to say.
func WriteRecommendation(w io.Writer, list []resultfile.Row, data, note string) error {
	r := advice.Recommend(oneRun(list), data)
	if len(r.Choices) == 0 {
		return nil
	}
	var out paragraphs
	title := "Which hash to use"
	if data != "" {
		title += " on " + data
		if note == "" {
			out.list("Weak on "+data, r.Weak)
			out.list("Undecided on "+data, r.Undecided)
		}
	}
	out = append(out, title, "")
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
	*p = append(*p, texttable.Wrap(fmt.Sprintf(format, args...), verdictWidth)...)
}

func (p *paragraphs) recommend(r *advice.Recommendation) {
	on := r.Machines[0] // one run has one
	switch {
	case len(r.Good)+len(r.Fewer)+len(r.HereOnly) == 0:
		p.say("None of the %d combinations of hash and encoding is good on %s.", len(r.Choices), vectors(r))
	case on.Best == nil:
		p.say("Good on %s: %s. None of them was timed in this run, so it is not known which is cheapest.", vectors(r), names(on.Untimed))
	default:
		p.cheapest(r, on)
		p.fromDefault(r, on)
	}
	if len(r.Good) > 0 && len(r.Fewer) > 0 {
		p.say("Good, but judged in fewer cases: %s.", names(r.Fewer))
	}
	if len(r.HereOnly) > 0 {
		p.say("Good on these vectors but weak on other indices, so only for these: %s.", names(r.HereOnly))
	}
	p.name("Weak, do not use", r.Weak)
	p.name("Undecided", r.Undecided)
	if r.OtherWidths > 0 {
		p.say("These are compared at %d bits; what was measured at other widths stands in the table above.", r.Bits)
	}
}

// name lists choices whose reasons stand above.
func (p *paragraphs) name(title string, choices []*advice.Choice) {
	if len(choices) > 0 {
		p.say("%s: %s.", title, names(choices))
	}
}

// vectors says what the hashes were judged on.
func vectors(r *advice.Recommendation) string {
	if r.Data != "" {
		return "these vectors"
	}
	return fmt.Sprintf("the indices and weights of this run (%d %s)", len(r.Usual), english.Plural(len(r.Usual), "kind", "kinds"))
}

// cheapest recommends the best, and says which are as cheap.
func (p *paragraphs) cheapest(r *advice.Recommendation, on advice.Ranking) {
	best, timed := on.Best, 1+len(on.Alike)+len(on.Dearer)
	among := fmt.Sprintf("the cheapest of the %d that are", timed)
	switch {
	case len(on.Untimed) > 0:
		among = fmt.Sprintf("the cheapest of the %d that were timed, of %d that are", timed, timed+len(on.Untimed))
	case timed == 1:
		among = "the only one that is"
	}
	p.say("Use %s: %s per feature of %s (kernel %s), %s good on %s.", best, cost(best.Time), what(on), best.Time.Row.Name.Get("kernel"), among, vectors(r))
	if worst, ok := best.Fewest(); ok {
		p.say("At worst it is worth %s.", why(best.Choice, worst))
	}
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
		*p = append(append(append(*p, title, ""), faults(choices)...), "")
	}
}
