package report

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"simhashkit/bench/report/page"
	"simhashkit/bench/report/rows"
	"simhashkit/bench/terms"
)

// recommendation says in words which hash to use, and what is wrong with those that are not to be
// used.
func (r *report) recommendation() page.Section {
	s := page.Section{ID: "recommendation", Short: "Recommendation", Title: "Which hash to use"}
	if len(r.choices) == 0 {
		s.Blocks = append(s.Blocks, missing("quality, so none is recommended", commandQuality))
		return s
	}
	s.Blocks = append(s.Blocks, page.Block{Paragraph: r.judging()})
	if others := r.otherWidths(); others > 0 {
		s.Blocks = append(s.Blocks, page.Block{Paragraph: page.Words("The files have %s of other widths as well, which stand in the table of the next section.", plural(others, "row", "rows"))})
	}
	// fewer are good where they were measured, but lack usual cases
	var good, fewer, undecided, weak []*choice
	for _, c := range r.choices {
		switch v := c.verdict(); {
		case v == terms.Good && len(c.missing) == 0:
			good = append(good, c)
		case v == terms.Good:
			fewer = append(fewer, c)
		case v == terms.Weak:
			weak = append(weak, c)
		default:
			undecided = append(undecided, c)
		}
	}
	judged := good
	if len(good) == 0 { // what was measured less is better than nothing, if that is said
		judged = fewer
	}
	timed := false
	for _, m := range r.machines {
		if times := r.speeds(m); len(times.of) > 0 {
			timed = true
			s.Blocks = append(s.Blocks, r.cheapest(m, times, judged)...)
			s.Blocks = append(s.Blocks, r.cheaperUnknown(times, good, fewer)...)
		}
	}
	if !timed {
		s.Blocks = append(s.Blocks, missing("the time of hashes, so it is not known which good one is cheapest", commandQuality))
		s.Blocks = append(s.Blocks, page.Block{Paragraph: page.Words("Good in all cases: %s.", names(judged))})
	}
	s.Blocks = append(s.Blocks, r.lacking(fewer)...)
	s.Blocks = append(s.Blocks, r.faults("What each weak one fails at", weak, terms.Weak)...)
	s.Blocks = append(s.Blocks, r.faults("What is undecided", undecided, terms.Undecided)...)
	return s
}

// otherWidths counts the rows of quality that no choice is judged by.
func (r *report) otherWidths() int {
	n := len(r.quality)
	for _, c := range r.choices {
		n -= len(c.cases)
	}
	return n
}

// cheapest recommends one of the good choices by its time on a machine.
func (r *report) cheapest(m rows.Machine, times speeds, good []*choice) []page.Block {
	on := template.HTML("")
	if len(r.machines) > 1 {
		on = page.Words(" on %s", m.Name)
	}
	if len(good) == 0 {
		return []page.Block{{Warning: page.Words(`<span class="lead">None of them%s can be recommended: no verdict is good in all cases.</span>`, on)}}
	}
	var timed, untimed []*choice
	for _, c := range good {
		if _, _, ok := times.cost(c); ok {
			timed = append(timed, c)
		} else {
			untimed = append(untimed, c)
		}
	}
	if len(timed) == 0 {
		return []page.Block{{Paragraph: page.Words("Good in all cases, but not timed%s: %s.", on, names(untimed))}}
	}
	cost := func(c *choice) rows.Figure { f, _, _ := times.cost(c); return f }
	slices.SortStableFunc(timed, func(a, b *choice) int { return cmp.Compare(cost(a).Value, cost(b).Value) })
	best := timed[0]
	figure, cell, _ := times.cost(best)
	words := page.Words(`<span class="lead">Use <strong>%s</strong> with encoding <strong>%s</strong>%s: %s ns per feature.</span> `, best.hash, best.encoding, on, number(figure.Value))
	words += page.Words("It is the cheapest of the %s that are good in all cases and were timed (%s).", plural(len(timed), "combination", "combinations"), times.what)
	traced := []rows.Cell{cell}
	if worst, ok := best.worst(); ok {
		words += page.Words(" Its worst case is %s: %s.", caseOf(worst), effective(worst))
		traced = append(traced, worst)
	}
	if note := r.judgedLess(best); note != "" {
		words += page.Words(" %s", note)
	}
	var near, dearer []*choice
	unclear := 0
	for _, c := range timed[1:] {
		f, cell, _ := times.cost(c)
		overlaps, like := f.Overlaps(figure), f.Value <= alike*figure.Value
		if overlaps && !like {
			unclear++
		}
		if overlaps && like {
			near = append(near, c)
			traced = append(traced, cell)
		} else {
			dearer = append(dearer, c)
		}
	}
	switch {
	case unclear > 0 && len(near) > 0:
		words += page.Words(" This run cannot tell apart: %s; more <code>--samples</code> would.", names(append([]*choice{best}, near...)))
	case unclear > 0:
		words += page.Words(" This run is so noisy that it cannot tell %s, with medians more than %g times as long, from it; more <code>--samples</code> would.", plural(unclear, "other", "others"), alike)
	case len(near) > 0:
		words += page.Words(" As cheap within the noise of this run: %s.", names(near))
	}
	blocks := []page.Block{{Callout: words + r.from(traced...)}}
	if len(dearer) > 0 {
		blocks = append(blocks, page.Block{Paragraph: page.Words(
			"Also good in all cases, in ns per feature: %s. The table of the next section has the rows.", grouped(dearer, func(c *choice) string { return c.encoding + " " + number(cost(c).Value) }))})
	}
	if len(untimed) > 0 {
		blocks = append(blocks, page.Block{Paragraph: page.Words("Good in all cases, but not timed in that run: %s.", names(untimed))})
	}
	return blocks
}

// names lists choices hash by hash: "xxh64 · le64, dec; md5 · le64".
func names(list []*choice) string {
	return grouped(list, func(c *choice) string { return c.encoding })
}

// grouped lists choices hash by hash, with words about each.
func grouped(list []*choice, about func(*choice) string) string {
	var order []string
	encodings := map[string][]string{}
	for _, c := range list {
		if encodings[c.hash] == nil {
			order = append(order, c.hash)
		}
		encodings[c.hash] = append(encodings[c.hash], about(c))
	}
	var words []string
	for _, hash := range order {
		words = append(words, hash+" · "+strings.Join(encodings[hash], ", "))
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, "; ")
}
