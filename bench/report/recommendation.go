package report

import (
	"html/template"
	"slices"

	"simhashkit/bench/advice"
	"simhashkit/bench/report/page"
)

// shownFaults is how many of the choices that are not good stand open.
const shownFaults = 8

// recommendation returns which hash to use on each machine, and what is wrong with the others, in
// the words of package advice.
func (r *report) recommendation() page.Section {
	s := page.Section{ID: "recommendation", Short: "Recommendation", Title: "Which hash to use"}
	a := r.advice
	if len(a.Choices) == 0 {
		s.Blocks = append(s.Blocks, missing("the quality of hashes, so none is recommended", commandQuality))
		return s
	}
	for _, m := range a.Machines {
		if len(a.Machines) > 1 {
			if !m.Times.Any() {
				continue
			}
			s.Blocks = append(s.Blocks, page.Block{Heading: m.Machine})
		}
		s.Blocks = append(s.Blocks, r.answer(m)...)
	}
	s.Blocks = append(s.Blocks, page.Block{Paragraph: "A hash is called good if its verdict is good in every case that it was measured in, each a pattern of indices with a kind of weights: which pattern your indices have is rarely known beforehand."})
	if bad := slices.Concat(a.Weak, a.Undecided); len(bad) > 0 {
		var items []template.HTML
		for _, words := range advice.Faults(bad) {
			items = append(items, page.Words("%s", words))
		}
		open := min(len(items), shownFaults)
		s.Blocks = append(s.Blocks, page.Block{Heading: "What is wrong with those that are not good"}, page.Block{List: items[:open]})
		if more := items[open:]; len(more) > 0 {
			s.Blocks = append(s.Blocks, page.Block{Details: &page.Details{Summary: page.Words("%d more", len(more)), Short: true, Blocks: []page.Block{{List: more}}}})
		}
	}
	return s
}

// answer says which choice to use on a machine, with the rows that say so, and why.
func (r *report) answer(m advice.Ranking) []page.Block {
	lead := page.Words(`<span class="lead">%s</span>`, r.advice.Lead(m))
	if m.Best == nil {
		return []page.Block{{Warning: lead}}
	}
	var rows []advice.Cell
	if t, ok := m.Times.Get(m.Best); ok {
		rows = append(rows, t.Row)
	}
	if worst, ok := m.Best.Fewest(); ok {
		rows = append(rows, worst.Row)
	}
	blocks := []page.Block{{Callout: lead + r.from(rows...)}}
	if m.Why == advice.CannotTell {
		blocks = []page.Block{{Warning: lead + r.from(rows...)}}
	}
	for _, words := range r.advice.Details(m) {
		blocks = append(blocks, page.Block{Paragraph: page.Words("%s", words)})
	}
	return blocks
}
