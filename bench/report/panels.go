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
	var order []string
	groups := map[string]*panel{}
	for _, c := range cells {
		if v, ok := c.Number(key); !ok || v < 0 || v > most || c.Name.Get("f") != bits {
			continue
		}
		id := sameCase(c, key)
		p := groups[id]
		if p == nil {
			p = &panel{choice: advice.Choice{Hash: advice.HashOf(c), Encoding: c.Encoding()}}
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
		former := worst[title(&p.choice)]
		if former == nil {
			list = append(list, p)
			worst[title(&p.choice)] = p
		} else if p.worse(former) {
			*former = *p
		}
	}
	slices.SortStableFunc(list, func(a, b *panel) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), rows.CompareValues(a.choice.Hash, b.choice.Hash), rows.CompareValues(a.choice.Encoding, b.choice.Encoding))
	})
	var result []panel
	for _, p := range list {
		result = append(result, *p)
	}
	return result
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

func (p *panel) worse(o *panel) bool {
	return cmp.Or(cmp.Compare(p.effective(), o.effective()), cmp.Compare(o.strays, p.strays)) < 0
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
