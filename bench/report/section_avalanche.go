package report

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"

	"simhashkit/bench/advice"
	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/page"
	"simhashkit/bench/rows"
	"simhashkit/bench/terms"
)

// avalancheMap is what flipping each bit of the index does to the code of one hash.
type avalancheMap struct {
	advice.Choice
	cells   []rows.Cell // one for each bit of the index, in order
	flips   [][]float64
	worst   float64 // greatest deviation from 1/2
	mean    float64 // mean deviation
	frozen  int     // pairs of bits where one never flips the other, or always
	figures int
}

// avalanche shows for each hash which bits of the code flip when a bit of the index does.
func (r *report) avalanche() page.Section {
	s := page.Section{ID: "avalanche", Short: "Avalanche", Title: "Avalanche maps"}
	maps := r.maps(r.exact(terms.Avalanche))
	if len(maps) == 0 {
		s.Blocks = append(s.Blocks, missing("avalanche", commandAvalanche))
		return s
	}
	s.Blocks = append(s.Blocks, page.Block{Paragraph: "One row for each bit of the index, the lowest at the top; one column for each bit of the code, the lowest at the left. A point is coloured where flipping the bit of the index " +
		"flips the bit of the code in more or fewer than half of the cases, by an eighth or more. An ideal hash leaves the square empty. Rows far down matter for large indices only: those below 2^24 use the first 24 rows."})
	legend := []page.Key{{Class: "area shades seldom", Words: "never flips … half of the time"}, {Class: "area shades often", Words: "half of the time … always flips"}}
	var figures []page.Figure
	open := 0
	t := &page.Table{
		Caption: "Deviation of the probability of a flip from 1/2, over all pairs of a bit of the index and a bit of the code",
		Columns: []page.Column{{Title: "hash"}, {Title: "encoding"}, {Title: "largest", Class: "number"}, {Title: "mean", Class: "number"}, {Title: "never or always flips", Class: "number"}, {Title: "pairs", Class: "number"}, {Title: "rows", Class: "row"}},
	}
	for i, m := range maps {
		open += m.shown()
		figures = append(figures, page.Figure{Forms: []template.HTML{m.draw(i + 1)}, Caption: page.Words("<strong>%s</strong> largest deviation %s", title(&m.Choice), fmt.Sprintf("%.3f", m.worst))})
		first, last := m.cells[0], m.cells[len(m.cells)-1]
		t.Add(page.Words("<strong>%s</strong>", m.Hash), page.Words("%s", m.Encoding), page.Words("%.3f", m.worst), page.Words("%.4f", m.mean), page.Words("%d", m.frozen), page.Words("%d", m.figures),
			r.row(first)+page.Words(" to <code>in=%s</code>, units <code>flip-out0</code> and on", last.Name.Get("in")))
	}
	s.Blocks = append(s.Blocks, openAndMore(page.Maps, legend, figures, open+1, "with nothing to be seen")...)
	s.Blocks = append(s.Blocks, page.Block{Details: &page.Details{Summary: "The numbers", Short: true, Blocks: []page.Block{{Table: t}}}})
	return s
}

// maps returns the maps at the main width, those that deviate most on average first.
func (r *report) maps(cells []rows.Cell) []*avalancheMap {
	bits := commonest(cells, func(c rows.Cell) string { return c.Name.Get("f") })
	usable := slices.DeleteFunc(slices.Clone(cells), func(c rows.Cell) bool {
		_, ok := c.Number("in")
		return !ok || c.Name.Get("f") != bits
	})
	var list []*avalancheMap
	for _, same := range rows.GroupBy(usable, func(c rows.Cell) string { return sameCase(c, "in") }) {
		m := &avalancheMap{Choice: choiceOf(same[0]), cells: same}
		if m.fill(); m.figures > 0 {
			list = append(list, m)
		}
	}
	slices.SortStableFunc(list, func(a, b *avalancheMap) int {
		return cmp.Or(b.shown()-a.shown(), cmp.Compare(b.frozen, a.frozen), cmp.Compare(math.Round(1e3*b.mean), math.Round(1e3*a.mean)), rows.CompareValues(a.Hash, b.Hash), rows.CompareValues(a.Encoding, b.Encoding))
	})
	return list
}

// shown is 1 if there is something to be seen in the map.
func (m *avalancheMap) shown() int {
	if m.worst >= chart.LeastShown {
		return 1
	}
	return 0
}

func (m *avalancheMap) fill() {
	slices.SortStableFunc(m.cells, rows.ByNumber("in"))
	sum := 0.0
	for _, c := range m.cells {
		var row []float64
		for out := range maxBits {
			p, ok := c.Value(terms.FlipOut + strconv.Itoa(out))
			if !ok {
				break
			}
			row = append(row, p)
			deviation := math.Abs(p - 0.5)
			m.worst, sum = max(m.worst, deviation), sum+deviation
			if p == 0 || p == 1 {
				m.frozen++
			}
		}
		m.flips = append(m.flips, row)
		m.figures += len(row)
	}
	m.mean = sum / float64(max(1, m.figures))
}

func (m *avalancheMap) draw(number int) template.HTML {
	return chart.Map{
		Frame: chart.Frame{
			ID: fmt.Sprintf("avalanche-%d", number), Title: "Avalanche map: " + title(&m.Choice),
			Description: fmt.Sprintf("%d bits of the index by %d of the code. The largest deviation from 1/2 is %.3f, the mean %.3f; %d of %d pairs never flip or always do.",
				len(m.flips), len(m.flips[0]), m.worst, m.mean, m.frozen, m.figures),
		},
		Flips: m.flips,
	}.SVG("")
}
