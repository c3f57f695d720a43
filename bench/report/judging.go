package report

import (
	"html/template"
	"slices"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/report/page"
	"simhashkit/bench/terms"
)

// judging says what the choices are judged by.
func (r *report) judging() template.HTML {
	a := r.advice
	words := page.Words("%s of hash and key encoding at %d bits, judged in %s: each a pattern of indices with a kind of weights. "+
		"A hash is called good here if its verdict is good in every one that it was measured in, since which pattern your indices have is rarely known beforehand.",
		plural(len(a.Choices), "combination", "combinations"), a.Bits, plural(a.Cases, "case", "cases"))
	if !slices.ContainsFunc(a.Choices, func(c *advice.Choice) bool { return len(c.Cases) < a.Cases }) {
		return words
	}
	words += page.Words(" Not all were measured in all of them: at least half of the combinations were in %s", plural(len(a.Usual), "case", "cases"))
	if n := a.Cases - len(a.Usual); n > 0 {
		words += page.Words(", and %s left out for those that lack them", plural(n, "other is", "others are"))
	}
	return words + "."
}

// judgedLess says of a choice that others were measured in more cases; "" where none was.
func (r *report) judgedLess(c *advice.Choice) string {
	most := 0
	for _, o := range r.advice.Choices {
		most = max(most, len(o.Cases))
	}
	if len(c.Cases) == most && len(c.Missing) == 0 {
		return ""
	}
	s := "It was judged in " + plural(len(c.Cases), "case", "cases")
	if most > len(c.Cases) {
		s += ", fewer than others, which were judged in up to " + plural(most, "case", "cases")
	}
	if len(c.Missing) > 0 {
		s += "; not measured, unlike most: " + strings.Join(c.Missing, "; ")
	}
	return s + "."
}

// lacking lists the choices that are good where they were measured, but were not measured in all
// usual cases.
func lacking(fewer []*advice.Choice) []page.Block {
	if len(fewer) == 0 {
		return nil
	}
	var items []template.HTML
	for _, c := range fewer {
		items = append(items, page.Words("<strong>%s</strong>: good in the %s that it was measured in. Not measured, unlike most: %s.", title(c), plural(len(c.Cases), "case", "cases"), strings.Join(c.Missing, "; ")))
	}
	return []page.Block{{Heading: "Good, but judged in fewer cases"}, {List: items}}
}

// fewer is what a table says beside the verdict of a choice that lacks usual cases.
func fewer(c *advice.Choice) template.HTML {
	if len(c.Missing) == 0 {
		return ""
	}
	return page.Words(" (%d not measured)", len(c.Missing))
}

// shownFaults is how many entries of a list stand open.
const shownFaults = 8

// faults lists the choices with a verdict, each with the worst of the cases that earned it.
func (r *report) faults(title string, list []*advice.Choice, verdict int) []page.Block {
	if len(list) == 0 {
		return nil
	}
	var items []template.HTML
	for _, c := range list {
		items = append(items, r.fault(c, verdict))
	}
	return append([]page.Block{{Heading: title}}, openList(items, shownFaults, "", true)...)
}

func (r *report) fault(c *advice.Choice, verdict int) template.HTML {
	worst := c.Worst()
	words := page.Words("<strong>%s</strong>: %s in %d of %s. Worst on %s: %s", title(c), terms.VerdictWord(verdict), len(c.Judged(verdict)), plural(len(c.Cases), "case", "cases"), advice.Name(worst.Row), effective(worst))
	for _, defect := range worst.Defects() {
		words += page.Words(", %s", defect)
	}
	words += "."
	if verdict == terms.Undecided {
		words += page.Words(" Undecided: %s.", worst.Why())
	}
	if n := len(c.Missing); n > 0 {
		words += page.Words(" Not measured in %s that most were.", plural(n, "case", "cases"))
	}
	return words + r.from(worst.Row)
}
