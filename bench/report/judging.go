package report

import (
	"html/template"
	"slices"
	"strings"

	"simhashkit/bench/report/page"
)

// alike is how many times the best median another one may be to be called as cheap: beyond that it
// is the run that says little, whatever intervals overlap.
const alike = 1.5

// judging says what the choices are judged by.
func (r *report) judging() template.HTML {
	words := page.Words("%s of hash and key encoding at %s bits, judged in %s: each a pattern of indices with a kind of weights. "+
		"A hash is called good here if its verdict is good in every one that it was measured in, since which pattern your indices have is rarely known beforehand.",
		plural(len(r.choices), "combination", "combinations"), r.bits, plural(len(r.cases), "case", "cases"))
	if !slices.ContainsFunc(r.choices, func(c *choice) bool { return len(c.cases) < len(r.cases) }) {
		return words
	}
	words += page.Words(" Not all were measured in all of them: at least half of the combinations were in %s", plural(len(r.usual), "case", "cases"))
	if n := len(r.cases) - len(r.usual); n > 0 {
		words += page.Words(", and %s left out for those that lack them", plural(n, "other is", "others are"))
	}
	return words + "."
}

// most is how many cases the choice with the most of them was measured in.
func (r *report) most() int {
	n := 0
	for _, c := range r.choices {
		n = max(n, len(c.cases))
	}
	return n
}

// judgedLess says of a choice that others were measured in more cases; "" where none was.
func (r *report) judgedLess(c *choice) string {
	most := r.most()
	if len(c.cases) == most && len(c.missing) == 0 {
		return ""
	}
	s := "It was judged in " + plural(len(c.cases), "case", "cases")
	if most > len(c.cases) {
		s += ", fewer than others, which were judged in up to " + plural(most, "case", "cases")
	}
	if len(c.missing) > 0 {
		s += "; not measured, unlike most: " + strings.Join(c.missing, "; ")
	}
	return s + "."
}

// cheaperUnknown says which choices are cheaper than the recommended one, and not recommended only
// because they were measured in fewer cases.
func (r *report) cheaperUnknown(times speeds, good, fewer []*choice) []page.Block {
	least, found := 0.0, false
	for _, c := range good {
		if f, _, ok := times.cost(c); ok && (!found || f.Value < least) {
			least, found = f.Value, true
		}
	}
	if !found {
		return nil
	}
	cheaper := slices.DeleteFunc(slices.Clone(fewer), func(c *choice) bool {
		f, _, ok := times.cost(c)
		return !ok || f.Value >= least
	})
	if len(cheaper) == 0 {
		return nil
	}
	return []page.Block{{Paragraph: page.Words("Cheaper, in ns per feature, but judged in fewer cases: %s.", grouped(cheaper, func(c *choice) string {
		f, _, _ := times.cost(c)
		return c.encoding + " " + number(f.Value)
	}))}}
}

// lacking lists the choices that are good where they were measured, but were not measured in all
// usual cases.
func (r *report) lacking(fewer []*choice) []page.Block {
	if len(fewer) == 0 {
		return nil
	}
	var items []template.HTML
	for _, c := range fewer {
		items = append(items, page.Words("<strong>%s</strong>: good in the %s that it was measured in. Not measured, unlike most: %s.", c.String(), plural(len(c.cases), "case", "cases"), strings.Join(c.missing, "; ")))
	}
	return []page.Block{{Heading: "Good, but judged in fewer cases"}, {List: items}}
}

// fewer is what a table says beside the verdict of a choice that lacks usual cases.
func (c *choice) fewer() template.HTML {
	if len(c.missing) == 0 {
		return ""
	}
	return page.Words(" (%d not measured)", len(c.missing))
}
