package report

import (
	"html/template"
	"slices"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/report/page"
)

// group returns a name without these keys.
func group(n benchname.Name, without ...string) string {
	n.Keys = slices.DeleteFunc(slices.Clone(n.Keys), func(k benchname.Key) bool { return slices.Contains(without, k.Key) })
	return n.String()
}

// shortName is the name of a case in a column.
func shortName(c advice.Cell) string {
	return joined(c.Name.Get("pattern"), c.Name.Get("weights"), c.Name.Get("data"))
}

// atBand says which band a figure of effective bits is of, where it is not the one over all angles.
func atBand(near bool) string {
	if near {
		return " at cosine ≥ 0.9"
	}
	return ""
}

// byMachine fills a section with what there is on each machine, behind a lead; with nothing where
// there is nothing on any.
func (r *report) byMachine(s page.Section, lead template.HTML, on func(m advice.Machine, number int) []page.Block) page.Section {
	for i, m := range r.machines {
		blocks := on(m, i+1)
		if len(blocks) > 0 && len(s.Blocks) == 0 {
			s.Blocks = append(s.Blocks, page.Block{Paragraph: lead})
		}
		if len(blocks) > 0 && len(r.machines) > 1 {
			s.Blocks = append(s.Blocks, page.Block{Heading: m.Name})
		}
		s.Blocks = append(s.Blocks, blocks...)
	}
	return s
}

// numbers has the table that goes with pictures.
func numbers(t *page.Table) page.Block {
	return page.Block{Details: &page.Details{Summary: "The numbers", Blocks: []page.Block{{Table: t}}}}
}
