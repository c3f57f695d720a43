package table

import (
	"fmt"
	"io"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
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
	if on.Best == nil {
		p.say("None of the %d combinations of hash and encoding is good on %s.", len(r.Choices), vectors(r))
	} else {
		p.best(r, on)
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

// best says which to use, what it costs, and why it is not another.
func (p *paragraphs) best(r *advice.Recommendation, on advice.Ranking) {
	best := on.Best
	costs := ", which was not timed in this run"
	if t, ok := on.Times.Get(best); ok {
		costs = fmt.Sprintf(": %s per feature of %s (kernel %s)", cost(t), what(on), t.Row.Name.Get("kernel"))
	}
	if on.Why == advice.CannotTell {
		p.say("Keep the default, %s%s: %s do not tell the hashes apart. It is undecided, and none of the %d others is surely better: %s.",
			best, costs, vectors(r), len(r.Choices)-1, why(best, best.Worst()))
		return
	}
	good := len(on.Good) + len(on.Untimed)
	p.say("Use %s%s. %d of the %d combinations %s good on %s.", best, costs, good, len(r.Choices), english.Plural(good, "is", "are"), vectors(r))
	if worst, ok := best.Fewest(); ok {
		p.say("At worst it is worth %s.", why(best, worst))
	}
	p.say("%s", on.Reason(r.Default))
	if best != r.Default && r.Default != nil {
		p.say("Fingerprints of two hashes cannot be compared: all have to be made anew.")
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
