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

// shownFaults is how many entries of a list stand open.
const shownFaults = 8

// faults lists the choices with a verdict, the worst ones first, each with the worst of the cases
// that earned it.
func (r *report) faults(title string, list []*choice, verdict float64) []page.Block {
	if len(list) == 0 {
		return nil
	}
	bits := func(c *choice) float64 {
		if worst, ok := c.worst(); ok {
			v, _, _ := least(worst)
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
	words += page.Words("%s in %d of %s. ", verdictWord(verdict), len(cases), plural(len(c.cases), "case", "cases"))
	worst := cases[0]
	words += page.Words("Worst on %s: %s", caseOf(worst), effective(worst))
	for _, kind := range []struct{ unit, one, many string }{{"constant-bits", "constant bit", "constant bits"}, {"copied-bits", "copy of another bit", "copies of other bits"}} {
		if v, ok := worst.Value(kind.unit); ok && v > 0 {
			words += page.Words(", %s", plural(int(v), kind.one, kind.many))
		}
	}
	words += "."
	if verdict == terms.Undecided {
		words += r.open(worst)
	}
	if n := len(c.missing); n > 0 {
		words += page.Words(" Not measured in %s that most were.", plural(n, "case", "cases"))
	}
	return words + r.from(worst)
}

// goodPart is the part of its width that a good hash's bits are worth.
const goodPart = 0.9

// open says why a case is undecided: what its file says of the vectors, or which band is open.
func (r *report) open(c rows.Cell) template.HTML {
	if note := r.set.Sources[c.Source].Head("note"); note != "" && c.Name.Get("data") != "" {
		return page.Words(" The file says: %s.", strings.TrimSuffix(note, "."))
	}
	f, ok := c.Number("f")
	if !ok {
		return ""
	}
	if _, ok := c.Value("verdict"); !ok {
		return " Its row has no verdict."
	}
	var parts []string
	for _, band := range []struct{ unit, where string }{{"effective-bits", "over all angles"}, {nearUnit, "at cosine ≥ 0.9"}} {
		_, ok := c.Value(band.unit)
		low, between := c.Value(band.unit + "-low")
		high, _ := c.Value(band.unit + "-high")
		switch {
		case !ok:
			parts = append(parts, "there are too few pairs "+band.where)
		case between && low < goodPart*f && high >= goodPart*f:
			parts = append(parts, "the interval "+band.where+" spans the "+number(goodPart*f)+" bits that divide good from weak")
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return page.Words(" Undecided because %s.", strings.Join(parts, ", and "))
}
