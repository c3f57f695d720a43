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
	for _, m := range a.Machines {
		if m.Times.Any() || len(a.Machines) == 1 {
			s.Blocks = append(s.Blocks, r.best(m)...)
		}
	}
	s.Blocks = append(s.Blocks, lacking(a.Fewer)...)
	s.Blocks = append(s.Blocks, r.faults("What each weak one fails at", a.Weak, terms.Weak)...)
	s.Blocks = append(s.Blocks, r.faults("What is undecided", a.Undecided, terms.Undecided)...)
	return s
}

// best says which choice to use on a machine, and why.
func (r *report) best(m advice.Ranking) []page.Block {
	on := template.HTML("")
	if len(r.advice.Machines) > 1 {
		on = page.Words(" on %s", m.Machine)
	}
	best := m.Best
	if best == nil {
		return []page.Block{{Warning: page.Words(`<span class="lead">None of them%s can be recommended: no verdict is good in all cases.</span>`, on)}}
	}
	costs, traced := template.HTML("It was not timed."), []advice.Cell(nil)
	if t, ok := m.Times.Get(best); ok {
		costs, traced = page.Words("It costs %s ns per feature (%s).", number(t.Median), m.Times.Of), append(traced, t.Row)
	}
	verb, why := "Use", m.Reason(r.advice.Default)
	if m.Why == advice.CannotTell {
		verb, why = "Keep the default,", "These files do not tell the hashes apart: the default is undecided, and no other is surely better."
	}
	words := page.Words(`<span class="lead">%s <strong>%s</strong> with encoding <strong>%s</strong>%s.</span> `, verb, best.Hash, best.Encoding, on)
	if why != "" {
		words += page.Words("%s ", why)
	}
	words += costs
	if worst, ok := best.Fewest(); ok {
		words += page.Words(" Its worst case is %s: %s.", advice.Name(worst.Row), effective(worst))
		traced = append(traced, worst.Row)
	}
	if note := r.judgedLess(best); note != "" {
		words += page.Words(" %s", note)
	}
	blocks := []page.Block{{Callout: words + r.from(traced...)}}
	var others []*advice.Choice
	for _, p := range m.Good {
		if p.Choice != best {
			others = append(others, p.Choice)
		}
	}
	if len(others) > 0 {
		blocks = append(blocks, page.Block{Paragraph: page.Words("Also good in all cases, in ns per feature: %s.", grouped(others, func(c *advice.Choice) string {
			t, _ := m.Times.Get(c)
			return c.Encoding + " " + number(t.Median)
		}))})
	}
	if len(m.Untimed) > 0 {
		blocks = append(blocks, page.Block{Paragraph: page.Words("Good in all cases, but not timed: %s.", names(m.Untimed))})
	}
	return blocks
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
