package report

import (
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/store"
	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/page"
)

// Trends is a history of benchmarks, and which of them to show.
type Trends struct {
	*store.History
	Run *regexp.Regexp // by "name unit"; nil: a dozen, see [Trends.chosen]
}

// Bounds of what is drawn.
const (
	defaultTrends = 12
	mostTrends    = 60
)

// trends shows how benchmarks went on one machine.
func trends(h *Trends) page.Section {
	s := page.Section{ID: "trends", Short: "Trends", Title: "Benchmarks over time"}
	s.Blocks = append(s.Blocks, page.Block{Paragraph: h.origin()})
	chosen, of := h.chosen()
	switch {
	case len(h.Occasions) == 1:
		o := h.Occasions[0]
		s.Blocks = append(s.Blocks, page.Block{Missing: page.Words("There is only one occasion, %s, in %s: a trend takes two. <code>fphash results add</code> files results.", o.Date, plural(len(o.Files), "file", "files"))})
	case of == 0 && h.Run != nil:
		s.Blocks = append(s.Blocks, page.Block{Missing: page.Words("No benchmark of two occasions or more matches <code>%s</code>.", h.Run.String())})
	case of == 0:
		s.Blocks = append(s.Blocks, page.Block{Missing: "No benchmark was measured on two occasions or more."})
	default:
		s.Blocks = append(s.Blocks, h.charts(chosen, of)...)
	}
	if len(h.Broken) > 0 {
		var items []template.HTML
		for _, b := range h.Broken {
			items = append(items, page.Words("%s", b))
		}
		s.Blocks = append(s.Blocks, page.Block{Paragraph: "These files do not parse, and are left out:"}, page.Block{List: items})
	}
	return s
}

// origin says which results these are.
func (h *Trends) origin() template.HTML {
	first, last := h.Occasions[0].Date, h.Occasions[len(h.Occasions)-1].Date
	words := page.Words("Results of %s, %s to %s.", h.Machine, first, last)
	if first == last {
		words = page.Words("Results of %s, %s.", h.Machine, last)
	}
	if h.Others > 0 {
		words += page.Words(" Left out: %s of other machines.", plural(h.Others, "result file", "result files"))
	}
	return words
}

// charts draws the courses, and has their numbers.
func (h *Trends) charts(chosen []store.Course, of int) []page.Block {
	words := page.Words("A point is the median of the samples of one occasion, a day with a version of Go and a commit, from files of the same name as far as there are; the band is its 95%% interval. Occasions stand side by side, however long the time between them. "+
		"The scale does not begin at zero. Shown: %d of %d that were measured on two occasions or more", len(chosen), of)
	if h.Run == nil {
		words += "; first those whose newest figure is out of line, then some that are usual. <code>--run REGEXP</code> shows others"
	} else {
		words += page.Words(" and match <code>%s</code>", h.Run.String())
	}
	legend := []page.Key{{Class: "series-1", Words: "median"}, {Class: "area series-1", Words: "95% interval"}}
	if h.differ(func(o store.Occasion) string { return o.Go }) {
		legend = append(legend, page.Key{Class: "muted", Words: "another version of Go from here on"})
	}
	if h.differ(func(o store.Occasion) string { return o.Commit }) {
		legend = append(legend, page.Key{Class: "dotted muted", Words: "another commit from here on"})
	}
	var figures []page.Figure
	t := &page.Table{
		Caption: "Medians with half of their 95% intervals in percent, the newest first",
		Columns: []page.Column{{Title: "benchmark", Class: "name"}, {Title: "unit"}, {Title: "date", Class: "number"}, {Title: "median", Class: "number"}, {Title: "±", Class: "number"}, {Title: "samples", Class: "number"},
			{Title: "go"}, {Title: "commit"}, {Title: "files", Class: "row"}},
	}
	for i, c := range chosen {
		figures = append(figures, page.Figure{Forms: []template.HTML{h.draw(c, i+1)}, Caption: h.caption(c)})
		for _, p := range slices.Backward(c.Points) {
			o := h.Occasions[p.Occasion]
			t.Add(page.Words("<strong>%s</strong>", breakable(c.Name)), page.Words("%s", c.Unit), page.Words("%s", o.Date), template.HTML(number(p.Median)), plusMinus(p.Figure), page.Words("%d", p.Samples),
				page.Words("%s", o.Go), page.Words("%s", shortCommit(o.Commit)), page.Words("<code>%s</code>", breakable(strings.Join(p.Files, ", "))))
		}
	}
	return []page.Block{{Paragraph: words + "."}, {Pictures: &page.Pictures{Layout: page.Panels, Legend: legend, Figures: figures}},
		numbers(t)}
}

// differ reports whether occasions say different things of themselves.
func (h *Trends) differ(of func(store.Occasion) string) bool {
	return slices.ContainsFunc(h.Occasions, func(o store.Occasion) bool { return of(o) != of(h.Occasions[0]) })
}

// shortCommit is as much of a commit as people read.
func shortCommit(commit string) string { return commit[:min(len(commit), 12)] }

// caption names a course and says where it stands.
func (h *Trends) caption(c store.Course) template.HTML {
	last, before := c.Points[len(c.Points)-1], c.Points[len(c.Points)-2]
	words := page.Words("<strong>%s</strong>%s %s on %s", breakable(c.Name), number(last.Median), c.Unit, h.Occasions[last.Occasion].Date)
	if advice.Bounded(last.Figure) {
		words += page.Words(" (± %s)", plusMinus(last.Figure))
	}
	if before.Median == last.Median {
		return words + ", as before"
	}
	if before.Median != 0 {
		return words + page.Words(", %s against the time before", signed(relative(before.Median, last.Median)))
	}
	return words + ", 0 before"
}

func (h *Trends) draw(c store.Course, n int) template.HTML {
	var dates []string
	var events []chart.Event
	for i, o := range h.Occasions {
		dates = append(dates, o.Date)
		if i == 0 {
			continue
		}
		switch former := h.Occasions[i-1]; {
		case o.Go != former.Go:
			events = append(events, chart.Event{X: float64(i) - 0.5, Name: o.Go})
		case o.Commit != former.Commit:
			events = append(events, chart.Event{X: float64(i) - 0.5})
		}
	}
	line := chart.Series{Ink: chart.Series1, Marked: true}
	band := chart.Band{Ink: chart.HashBand}
	var values []float64
	for _, p := range c.Points {
		f := p.Figure
		if !advice.Bounded(f) {
			f.Lo, f.Hi = f.Median, f.Median
		}
		x := float64(p.Occasion)
		line.Points = append(line.Points, chart.Point{X: x, Y: f.Median})
		band.X, band.Low, band.High = append(band.X, x), append(band.Low, f.Lo), append(band.High, f.Hi)
		values = append(values, f.Median, f.Lo, f.Hi)
	}
	first, last := c.Points[0], c.Points[len(c.Points)-1]
	return chart.Lines{
		Frame: chart.Frame{
			ID: fmt.Sprintf("trend-%d", n), Title: c.Name + " over time",
			Description: fmt.Sprintf("%s of %s: %s on %s, %s on %s.", plural(len(c.Points), "point", "points"), c.Unit, number(first.Median), h.Occasions[first.Occasion].Date, number(last.Median), h.Occasions[last.Occasion].Date),
		},
		X: chart.Named("", dates), Y: chart.Around(c.Unit, 0.1, values...),
		Bands: []chart.Band{band}, Series: []chart.Series{line}, Events: events,
	}.SVG(small, "")
}
