package report

import (
	"html/template"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/report/page"
	"simhashkit/bench/terms"
)

// recommendation says in words which hash to use, and what is wrong with those that are not to be
// used.
func (r *report) recommendation() page.Section {
	s := page.Section{ID: "recommendation", Short: "Recommendation", Title: "Which hash to use"}
	a := r.advice
	if len(a.Choices) == 0 {
		s.Blocks = append(s.Blocks, missing("the quality of hashes, so none is recommended", commandQuality))
		return s
	}
	s.Blocks = append(s.Blocks, page.Block{Paragraph: r.judging()})
	if a.OtherWidths > 0 {
		s.Blocks = append(s.Blocks, page.Block{Paragraph: page.Words("The files have %s of other widths as well, which stand in the table of the next section.", plural(a.OtherWidths, "row", "rows"))})
	}
	timed := false
	for _, m := range a.Machines {
		if m.Times.Any() {
			timed = true
			s.Blocks = append(s.Blocks, r.cheapest(m)...)
		}
	}
	if !timed {
		s.Blocks = append(s.Blocks, missing("the time of hashes, so it is not known which good one is cheapest", commandQuality))
		s.Blocks = append(s.Blocks, page.Block{Paragraph: page.Words("Good in all cases: %s.", names(a.Machines[0].Untimed))})
	}
	s.Blocks = append(s.Blocks, lacking(a.Fewer)...)
	s.Blocks = append(s.Blocks, r.faults("What each weak one fails at", a.Weak, terms.Weak)...)
	s.Blocks = append(s.Blocks, r.faults("What is undecided", a.Undecided, terms.Undecided)...)
	return s
}

// cheapest recommends one of the good choices by its time on a machine.
func (r *report) cheapest(m advice.Ranking) []page.Block {
	on := template.HTML("")
	if len(r.advice.Machines) > 1 {
		on = page.Words(" on %s", m.Machine)
	}
	switch {
	case m.Best == nil && len(m.Untimed) == 0:
		return []page.Block{{Warning: page.Words(`<span class="lead">None of them%s can be recommended: no verdict is good in all cases.</span>`, on)}}
	case m.Best == nil:
		return []page.Block{{Paragraph: page.Words("Good in all cases, but not timed%s: %s.", on, names(m.Untimed))}}
	}
	best := m.Best
	words := page.Words(`<span class="lead">Use <strong>%s</strong> with encoding <strong>%s</strong>%s: %s ns per feature.</span> `, best.Hash, best.Encoding, on, number(best.Time.Median))
	words += page.Words("It is the cheapest of the %s that are good in all cases and were timed (%s).", plural(1+len(m.Alike)+len(m.Dearer), "combination", "combinations"), m.Times.Of)
	traced := []advice.Cell{best.Time.Row}
	if worst, ok := best.Fewest(); ok {
		words += page.Words(" Its worst case is %s: %s.", advice.Name(worst.Row), effective(worst))
		traced = append(traced, worst.Row)
	}
	if note := r.judgedLess(best.Choice); note != "" {
		words += page.Words(" %s", note)
	}
	near := choicesOf(m.Alike)
	for _, p := range m.Alike {
		traced = append(traced, p.Time.Row)
	}
	switch {
	case m.Unclear > 0 && len(near) > 0:
		words += page.Words(" This run cannot tell apart: %s; more <code>--samples</code> would.", names(append([]*advice.Choice{best.Choice}, near...)))
	case m.Unclear > 0:
		words += page.Words(" This run is so noisy that it cannot tell %s, with medians more than %g times as long, from it; more <code>--samples</code> would.", plural(m.Unclear, "other", "others"), advice.FarApart)
	case len(near) > 0:
		words += page.Words(" As cheap within the noise of this run: %s.", names(near))
	}
	blocks := []page.Block{{Callout: words + r.from(traced...)}}
	withTimes := func(c *advice.Choice) string {
		t, _ := m.Times.Get(c)
		return c.Encoding + " " + number(t.Median)
	}
	if len(m.Dearer) > 0 {
		blocks = append(blocks, page.Block{Paragraph: page.Words(
			"Also good in all cases, in ns per feature: %s. The table of the next section has the rows.", grouped(choicesOf(m.Dearer), withTimes))})
	}
	if len(m.Untimed) > 0 {
		blocks = append(blocks, page.Block{Paragraph: page.Words("Good in all cases, but not timed in that run: %s.", names(m.Untimed))})
	}
	if len(m.Cheaper) > 0 {
		blocks = append(blocks, page.Block{Paragraph: page.Words("Cheaper, in ns per feature, but judged in fewer cases: %s.", grouped(choicesOf(m.Cheaper), withTimes))})
	}
	return blocks
}

func choicesOf(list []advice.Priced) (choices []*advice.Choice) {
	for _, p := range list {
		choices = append(choices, p.Choice)
	}
	return choices
}

// title names a choice.
func title(c *advice.Choice) string { return c.Hash + " · " + c.Encoding }

// names lists choices hash by hash: "xxh64 · le64, dec; md5 · le64".
func names(list []*advice.Choice) string {
	return grouped(list, func(c *advice.Choice) string { return c.Encoding })
}

// grouped lists choices hash by hash, with words about each.
func grouped(list []*advice.Choice, about func(*advice.Choice) string) string {
	var words []string
	for _, group := range advice.ByHash(list) {
		var each []string
		for _, c := range group {
			each = append(each, about(c))
		}
		words = append(words, group[0].Hash+" · "+strings.Join(each, ", "))
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, "; ")
}
