package report

import (
	"cmp"
	"html/template"
	"math"
	"slices"

	"simhashkit/bench/report/page"
	"simhashkit/bench/report/rows"
	"simhashkit/bench/terms"
)

// panel is a small picture of one case of one choice.
type panel struct {
	choice choice // hash and encoding
	cells  []rows.Cell
	judged rows.Cell // the row of quality of the same case
	known  bool      // there is one
	strays float64   // how far its figures are from the ideal ones
}

// panels returns one panel for each hash and encoding at the main width: the case with the fewest
// effective bits or, where none is known, the one that strays farthest from the ideal. Its cells
// are sorted by the key, whose values are between 0 and most. Those that are not good come first,
// the worst in front, then the good ones by name.
func (r *report) panels(cells []rows.Cell, key string, most float64, stray func(rows.Cell) float64) []panel {
	quality := map[string]rows.Cell{}
	for _, c := range r.quality {
		quality[sameCase(c)] = c
	}
	bits := r.bits
	if bits == "" {
		bits = commonest(cells, func(c rows.Cell) string { return c.Name.Get("f") })
	}
	var order []string
	groups := map[string]*panel{}
	for _, c := range cells {
		if v, ok := c.Number(key); !ok || v < 0 || v > most || c.Name.Get("f") != bits {
			continue
		}
		id := sameCase(c, key)
		p := groups[id]
		if p == nil {
			p = &panel{choice: choice{hash: hashOf(c), encoding: c.Encoding()}}
			p.judged, p.known = quality[id]
			groups[id] = p
			order = append(order, id)
		}
		p.cells = append(p.cells, c)
		p.strays = max(p.strays, stray(c))
	}
	worst := map[string]*panel{}
	var list []*panel
	for _, id := range order {
		p := groups[id]
		slices.SortStableFunc(p.cells, func(a, b rows.Cell) int {
			x, _ := a.Number(key)
			y, _ := b.Number(key)
			return cmp.Compare(x, y)
		})
		former := worst[p.choice.String()]
		if former == nil {
			list = append(list, p)
			worst[p.choice.String()] = p
		} else if p.worse(former) {
			*former = *p
		}
	}
	slices.SortStableFunc(list, func(a, b *panel) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), byKey(a.choice.hash, b.choice.hash), byKey(a.choice.encoding, b.choice.encoding))
	})
	var result []panel
	for _, p := range list {
		result = append(result, *p)
	}
	return result
}

// sameCase is what the rows of one case have in common, whatever they are rows of.
func sameCase(c rows.Cell, without ...string) string {
	n := c.Name
	n.Base = ""
	return group(n, append(without, "encoding")...) + "/" + c.Encoding()
}

func (p *panel) effective() float64 {
	if v, _, ok := least(p.judged); ok {
		return v
	}
	return math.Inf(1)
}

func (p *panel) worse(o *panel) bool {
	return cmp.Or(cmp.Compare(p.effective(), o.effective()), cmp.Compare(o.strays, p.strays)) < 0
}

func (p *panel) good() bool { return p.known && verdictOf(p.judged) == terms.Good }

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
	words := page.Words("<strong>%s</strong> %s", p.choice.String(), caseOf(p.cells[0]))
	if p.known {
		words += page.Words(": %s", badge(verdictOf(p.judged)))
		if v, unit, ok := least(p.judged); ok {
			words += page.Words(", %s bits%s", number(v), atBand(unit))
		}
	}
	return words
}

// atBand says which band a figure of effective bits is of, where it is not the one over all angles.
func atBand(unit string) string {
	if unit == nearUnit {
		return " at cosine ≥ 0.9"
	}
	return ""
}

// lay lays out panels: open those that are not good and some good ones to compare them with, the
// others in details.
func lay(legend []page.Key, panels []panel, draw func(p *panel, number int) template.HTML) []page.Block {
	var figures []page.Figure
	open := 0
	for i := range panels {
		if !panels[i].good() {
			open = i + 1
		}
		figures = append(figures, page.Figure{Forms: []template.HTML{draw(&panels[i], i+1)}, Caption: panels[i].caption()})
	}
	return openAndMore(page.Panels, legend, figures, open+1, "that are good")
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
