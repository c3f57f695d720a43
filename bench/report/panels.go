package report

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/report/page"
	"simhashkit/bench/rows"
	"simhashkit/bench/terms"
)

// panel is a small picture of one case of one choice.
type panel struct {
	choice advice.Choice // hash and encoding
	cells  []rows.Cell
	judged advice.Case // that of the same case
	known  bool        // there is one
	strays float64     // how far its figures are from the ideal ones
}

// panels returns one panel for each hash and encoding at the main width: the case with the fewest
// effective bits or, where none is known, the one that strays farthest from the ideal. Its cells
// are sorted by the key, whose values are between 0 and most. Those that are not good come first,
// the worst in front, then the good ones by name.
func (r *report) panels(cells []rows.Cell, key string, most float64, stray func(rows.Cell) float64) []panel {
	quality := map[string]advice.Case{}
	for _, c := range r.quality {
		quality[sameCase(c)] = advice.NewCase(c)
	}
	bits := strconv.Itoa(r.advice.Bits)
	if len(r.advice.Choices) == 0 {
		bits = commonest(cells, func(c rows.Cell) string { return c.Name.Get("f") })
	}
	shown := slices.DeleteFunc(slices.Clone(cells), func(c rows.Cell) bool {
		v, ok := c.Number(key)
		return !ok || v < 0 || v > most || c.Name.Get("f") != bits
	})
	var all, list []panel
	for _, same := range rows.GroupBy(shown, func(c rows.Cell) string { return sameCase(c, key) }) {
		p := panel{choice: choiceOf(same[0]), cells: same}
		p.judged, p.known = quality[sameCase(same[0], key)]
		for _, c := range same {
			p.strays = max(p.strays, stray(c))
		}
		slices.SortStableFunc(p.cells, rows.ByNumber(key))
		all = append(all, p)
	}
	for _, cases := range rows.GroupBy(all, func(p panel) string { return title(&p.choice) }) {
		list = append(list, slices.MinFunc(cases, func(a, b panel) int {
			return cmp.Or(cmp.Compare(a.effective(), b.effective()), cmp.Compare(b.strays, a.strays))
		}))
	}
	slices.SortStableFunc(list, func(a, b panel) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), rows.CompareValues(a.choice.Hash, b.choice.Hash), rows.CompareValues(a.choice.Encoding, b.choice.Encoding))
	})
	return list
}

// choiceOf is the hash and the encoding of a row.
func choiceOf(c rows.Cell) advice.Choice {
	return advice.Choice{Hash: advice.HashOf(c), Encoding: c.Encoding()}
}

// group returns a name without these keys.
func group(n benchname.Name, without ...string) string {
	n.Keys = slices.DeleteFunc(slices.Clone(n.Keys), func(k benchname.Key) bool { return slices.Contains(without, k.Key) })
	return n.String()
}

// shortName is the name of a case in a column.
func shortName(c rows.Cell) string {
	return joined(c.Name.Get("pattern"), c.Name.Get("weights"), c.Name.Get("data"))
}

// sameCase is what the rows of one case have in common, whatever they are rows of.
func sameCase(c rows.Cell, without ...string) string {
	n := c.Name
	n.Base = ""
	return group(n, append(without, "encoding")...) + "/" + c.Encoding()
}

func (p *panel) effective() float64 {
	if f, _ := p.judged.Worse(); f != nil {
		return f.Median
	}
	return math.Inf(1)
}

func (p *panel) good() bool { return p.known && p.judged.Verdict == terms.Good }

// rank orders panels: those without verdict in front, then by effective bits, and the good ones,
// which are as good as each other, at the end.
func (p *panel) rank() float64 {
	switch {
	case p.good():
		return math.Inf(1)
	case !p.known:
		return math.Inf(-1)
	}
	return p.effective()
}

// caption names a panel.
func (p *panel) caption() template.HTML {
	words := page.Words("<strong>%s</strong> %s", title(&p.choice), advice.Name(p.cells[0]))
	if p.known {
		words += page.Words(": %s", badge(p.judged.Verdict))
		if f, near := p.judged.Worse(); f != nil {
			words += page.Words(", %s bits%s", number(f.Median), atBand(near))
		}
	}
	return words
}

// atBand says which band a figure of effective bits is of, where it is not the one over all angles.
func atBand(near bool) string {
	if near {
		return " at cosine ≥ 0.9"
	}
	return ""
}

// curves is a section on figures of hashes, beside an ideal one, along a number in names of rows.
type curves struct {
	page.Section
	base, what string // of the rows, and what they hold
	key        string // the number
	most       float64
	units      []string // those of an ideal hash have a prefix
	lead       template.HTML
	legend     []page.Key
	caption    template.HTML // of the table
	columns    []page.Column // of the table, between the case and the row
	cells      func(rows.Cell) []template.HTML
	draw       func(p *panel, number int) template.HTML
}

// curves lays out panels: open those that are not good and some good ones to compare them with, the
// others in details; and a table of all.
func (r *report) curves(s curves) page.Section {
	panels := r.panels(r.exact(s.base), s.key, s.most, func(c rows.Cell) float64 {
		stray := 0.0
		for _, unit := range s.units {
			v, ok := c.Value(unit)
			if ideal, known := c.Value(terms.Ideal + unit); ok && known {
				stray = max(stray, math.Abs(v-ideal))
			}
		}
		return stray
	})
	if len(panels) == 0 {
		s.Blocks = append(s.Blocks, missing(s.what, commandQuality))
		return s.Section
	}
	var figures []page.Figure
	open := 0
	t := &page.Table{Caption: s.caption, Columns: slices.Concat([]page.Column{{Title: "hash"}, {Title: "encoding"}, {Title: "pattern, weights"}}, s.columns, []page.Column{{Title: "row", Class: "row"}})}
	for i := range panels {
		p := &panels[i]
		if !p.good() {
			open = i + 1
		}
		figures = append(figures, page.Figure{Forms: []template.HTML{s.draw(p, i+1)}, Caption: p.caption()})
		for _, c := range p.cells {
			t.Add(slices.Concat([]template.HTML{page.Words("<strong>%s</strong>", p.choice.Hash), page.Words("%s", p.choice.Encoding), page.Words("%s", shortName(c))}, s.cells(c), []template.HTML{r.row(c)})...)
		}
	}
	s.Blocks = append(s.Blocks, page.Block{Paragraph: s.lead + " Each hash and encoding is shown in the case where it is worth the fewest bits, of those that have such rows."})
	s.Blocks = append(s.Blocks, openAndMore(page.Panels, s.legend, figures, open+1, "that are good")...)
	s.Blocks = append(s.Blocks, numbers(t))
	return s.Section
}

// byMachine fills a section with what there is on each machine, behind a lead; with nothing where
// there is nothing on any.
func (r *report) byMachine(s page.Section, lead template.HTML, on func(m rows.Machine, number int) []page.Block) page.Section {
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

// perLine is how many small pictures stand side by side on a wide page; more or fewer do elsewhere.
const perLine = 4

// openAndMore shows at least that many figures, in whole lines of a wide page, and puts the others,
// which are of the kind that the words say, in details.
func openAndMore(layout string, legend []page.Key, figures []page.Figure, least int, kind string) []page.Block {
	open := min((least+perLine-1)/perLine*perLine, len(figures))
	blocks := []page.Block{{Pictures: &page.Pictures{Layout: layout, Legend: legend, Figures: figures[:open]}}}
	if more := figures[open:]; len(more) > 0 {
		blocks = append(blocks, page.Block{Details: &page.Details{
			Summary: page.Words("%d more %s", len(more), kind),
			Blocks:  []page.Block{{Pictures: &page.Pictures{Layout: layout, Figures: more}}},
		}})
	}
	return blocks
}
