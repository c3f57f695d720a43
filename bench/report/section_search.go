package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/page"
	"simhashkit/bench/terms"
)

// search shows what finding near-duplicates costs by the number of fingerprints, and which
// structure is good for what.
func (r *report) search() page.Section {
	s := r.byMachine(page.Section{ID: "search", Short: "Search", Title: "Near-duplicates: time against the number of fingerprints"},
		"Queries are random fingerprints, none asked twice, one after the other; joins run from unsorted fingerprints to the last pair or group. All answers are exact, whatever the structure. "+
			"Both axes are logarithmic: a scan is a straight line upwards, and where a line crosses it, its structure begins to pay. All lines of a picture are from one run.", r.searchOn)
	if len(s.Blocks) == 0 {
		s.Blocks = append(s.Blocks, missing("the search for near-duplicates among several numbers of fingerprints", commandSearch))
	}
	return s
}

// searched reports whether a file has rows of searches.
func (r *report) searched() bool {
	return slices.ContainsFunc(r.machines, func(m advice.Machine) bool { return len(advice.Searches(m)) > 0 })
}

func (r *report) searchOn(m advice.Machine, machine int) (blocks []page.Block) {
	var others []page.Block
	for n, s := range chosenSearches(m) {
		figures := searchFigures(fmt.Sprintf("search-%d-%d", machine, n+1), s)
		if len(figures) == 0 {
			continue
		}
		of := []page.Block{{Heading: fmt.Sprintf("Within %s of %s bits", s.K, s.Bits)}, {Pictures: &page.Pictures{Layout: page.Pairs, Figures: figures}}}
		if len(blocks) == 0 {
			blocks = of
		} else {
			others = append(others, of...)
		}
	}
	if len(others) > 0 {
		blocks = append(blocks, page.Block{Details: &page.Details{Summary: "Other distances and widths", Blocks: others}})
	}
	return blocks
}

// chosenSearches returns for each width and distance the run with the most sizes and structures,
// the later one of two with as many; the one of most in front.
func chosenSearches(m advice.Machine) (chosen []*advice.Search) {
	more := func(a, b *advice.Search) int {
		return cmp.Or(cmp.Compare(len(a.Sizes), len(b.Sizes)), cmp.Compare(len(a.Indexes), len(b.Indexes)))
	}
	for _, same := range advice.GroupBy(advice.Searches(m), func(s *advice.Search) string { return s.Bits + " " + s.K }) {
		slices.Reverse(same)
		chosen = append(chosen, slices.MaxFunc(same, more))
	}
	slices.SortStableFunc(chosen, func(a, b *advice.Search) int { return more(b, a) })
	return chosen
}

// searchFigures draws queries and joins against the number of fingerprints. There is no line in a
// single number.
func searchFigures(id string, s *advice.Search) (figures []page.Figure) {
	if len(s.Sizes) < 2 {
		return nil
	}
	queries := searchLines{s: s, unit: 1e3}
	for i, index := range s.Indexes {
		queries.add(index, i, func(n int) (advice.Time, bool) {
			return s.Time(advice.SearchRow{Base: terms.Query, Index: index, N: n})
		})
	}
	queries.add("a read of memory", len(s.Indexes), s.Latency)
	joins := searchLines{s: s, unit: 1e9}
	for i, join := range []struct {
		name string
		advice.SearchRow
	}{
		{"pairs, scan", advice.SearchRow{Base: terms.AllPairs, Index: terms.Scan}},
		{"pairs", advice.SearchRow{Base: terms.AllPairs, Index: terms.Blocks}},
		{"pairs, two cores", advice.SearchRow{Base: terms.AllPairs, Index: terms.Blocks, CPUs: "2"}},
		{"groups", advice.SearchRow{Base: terms.Groups, Index: terms.Blocks}},
		{"groups, skewed", advice.SearchRow{Base: terms.Groups, Index: terms.Blocks, Pattern: terms.Skewed}},
	} {
		joins.add(join.name, i, func(n int) (advice.Time, bool) {
			join.N = n
			return s.Time(join.SearchRow)
		})
	}
	for _, f := range []struct {
		id, title, axis string
		searchLines
	}{{id + "-queries", "Queries, one after the other", "µs a query", queries}, {id + "-joins", "Joins", "seconds", joins}} {
		if len(f.series) > 0 {
			figures = append(figures, page.Figure{Picture: f.draw(f.id, f.title, f.axis), Caption: page.Words("<strong>%s</strong>", f.title)})
		}
	}
	return figures
}

// searchLines are the lines of one picture.
type searchLines struct {
	s            *advice.Search
	unit         float64 // nanoseconds
	series       []chart.Series
	sizes, times []float64
}

// add adds a line, where there is a figure. Lines have six inks, and those beyond are dashed.
func (l *searchLines) add(name string, number int, time func(n int) (advice.Time, bool)) {
	const fullInks = 6
	line := chart.Series{Name: name, Ink: chart.SeriesInk(number), Dashed: number >= fullInks}
	for _, n := range l.s.Sizes {
		if t, ok := time(n); ok && chart.OnLog(t.Median/l.unit) {
			line.Points = append(line.Points, chart.Point{X: float64(n), Y: t.Median / l.unit})
			l.sizes, l.times = append(l.sizes, float64(n)), append(l.times, t.Median/l.unit)
		}
	}
	if len(line.Points) > 0 {
		l.series = append(l.series, line)
	}
}

func (l searchLines) draw(id, title, axis string) template.HTML {
	var names []string
	for _, s := range l.series {
		names = append(names, s.Name)
	}
	return chart.Lines{
		Frame: chart.Frame{
			ID: id, Title: title + ", by the number of fingerprints",
			Description: fmt.Sprintf("Lines for %s over %s to %s fingerprints; from %s to %s %s.", strings.Join(names, ", "),
				chart.Short(slices.Min(l.sizes)), chart.Short(slices.Max(l.sizes)), number(slices.Min(l.times)), number(slices.Max(l.times)), axis),
		},
		X:      chart.LogRange("fingerprints", l.sizes...),
		Y:      chart.LogRange(axis, l.times...),
		Series: l.series,
	}.SVG(medium)
}
