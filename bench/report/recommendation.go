package report

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"simhashkit/bench/report/page"
	"simhashkit/bench/report/rows"
)

// recommendation says in words which hash to use, and what is wrong with those that are not to be used.
func (r *report) recommendation() page.Section {
	s := page.Section{ID: "recommendation", Short: "Recommendation", Title: "Which hash to use"}
	if len(r.choices) == 0 {
		s.Blocks = append(s.Blocks, missing("quality, so none is recommended", commandQuality))
		return s
	}
	s.Blocks = append(s.Blocks, page.Block{Paragraph: page.Words(
		"%s of hash and key encoding at %s bits, judged in %s: each a pattern of indices with a kind of weights. "+
			"A hash is called good here if its verdict is good in every one of them, since which pattern your indices have is rarely known beforehand.",
		plural(len(r.choices), "combination", "combinations"), r.bits, plural(len(r.cases), "case", "cases"))})
	if others := r.otherWidths(); others > 0 {
		s.Blocks = append(s.Blocks, page.Block{Paragraph: page.Words("The files have %s of other widths as well, which stand in the table of the next section.", plural(others, "row", "rows"))})
	}
	var good, undecided, weak []*choice
	for _, c := range r.choices {
		switch c.verdict() {
		case verdictGood:
			good = append(good, c)
		case verdictWeak:
			weak = append(weak, c)
		default:
			undecided = append(undecided, c)
		}
	}
	timed := false
	for _, m := range r.machines {
		if times := r.speeds(m); len(times.of) > 0 {
			timed = true
			s.Blocks = append(s.Blocks, r.cheapest(m, times, good)...)
		}
	}
	if !timed {
		s.Blocks = append(s.Blocks, missing("the time of hashes, so it is not known which good one is cheapest", commandQuality))
		s.Blocks = append(s.Blocks, page.Block{Paragraph: page.Words("Good in all cases: %s.", names(good))})
	}
	s.Blocks = append(s.Blocks, r.faults("What each weak one fails at", weak, verdictWeak)...)
	s.Blocks = append(s.Blocks, r.faults("What is undecided", undecided, verdictUndecided)...)
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
		return []page.Block{{Callout: page.Words(`<span class="lead">None of them%s can be recommended: no verdict is good in all cases.</span>`, on)}}
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
	var near, dearer []*choice
	for _, c := range timed[1:] {
		f, cell, _ := times.cost(c)
		if f.Overlaps(figure) {
			near = append(near, c)
			traced = append(traced, cell)
		} else {
			dearer = append(dearer, c)
		}
	}
	if len(near) > 0 {
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

// shownFaults is how many entries of a list stand open.
const shownFaults = 8

// faults lists the choices with a verdict, the worst ones first, each with the worst of the cases that earned it.
func (r *report) faults(title string, list []*choice, verdict float64) []page.Block {
	if len(list) == 0 {
		return nil
	}
	bits := func(c *choice) float64 {
		if worst, ok := c.worst(); ok {
			v, _ := worst.Value("effective-bits")
			return v
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b *choice) int { return cmp.Compare(bits(a), bits(b)) })
	var items []template.HTML
	for _, c := range list {
		items = append(items, r.fault(c, verdict))
	}
	blocks := []page.Block{{Heading: title}, {List: items[:min(len(items), shownFaults)]}}
	if len(items) > shownFaults {
		blocks = append(blocks, page.Block{Details: &page.Details{
			Summary: page.Words("%d more", len(items)-shownFaults), Short: true,
			Blocks: []page.Block{{List: items[shownFaults:]}},
		}})
	}
	return blocks
}

func (r *report) fault(c *choice, verdict float64) template.HTML {
	words := page.Words("<strong>%s</strong>: ", c.String())
	cases := c.judged(verdict)
	if len(cases) == 0 {
		return words + page.Words("good in the %s that it was measured in, but not measured in %d that others were.", plural(len(c.cases), "case", "cases"), c.missing)
	}
	words += page.Words("%s in %d of %s. ", verdictWord(verdict), len(cases), plural(len(c.cases), "case", "cases"))
	worst := cases[0]
	words += page.Words("Worst on %s: %s", caseOf(worst), effective(worst))
	for _, kind := range []struct{ unit, one, many string }{{"constant-bits", "constant bit", "constant bits"}, {"copied-bits", "copy of another bit", "copies of other bits"}} {
		if v, ok := worst.Value(kind.unit); ok && v > 0 {
			words += page.Words(", %s", plural(int(v), kind.one, kind.many))
		}
	}
	words += "."
	if c.missing > 0 {
		words += page.Words(" Not measured in %d cases that others were.", c.missing)
	}
	return words + r.from(worst)
}
