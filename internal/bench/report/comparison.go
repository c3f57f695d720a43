package report

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/bench/report/chart"
	"simhashkit/internal/bench/report/page"
	"simhashkit/internal/english"
)

// WriteComparison writes a comparison as one HTML file.
func WriteComparison(w io.Writer, c *compare.Report) error {
	s := page.Section{ID: "comparison", Short: "Comparison", Title: "Old against new: what has changed", Blocks: []page.Block{verdictBlock(c)}}
	s.Blocks = append(s.Blocks, tables(c, func(v compare.Verdict) bool {
		return v == "REGRESSION" || v == "improvement" || v == "changed"
	})...)
	for _, remarks := range []struct {
		heading string
		lines   []string
	}{{"What could not be compared", c.GapLines()}, {"Notes on these results", c.Notes}} {
		var items []template.HTML
		for _, line := range remarks.lines {
			items = append(items, page.Words("%s", line))
		}
		if len(items) > 0 {
			s.Blocks = append(s.Blocks, page.Block{Heading: remarks.heading}, page.Block{List: items})
		}
	}
	rows := 0
	for _, t := range c.Tables {
		rows += len(t.Rows)
	}
	if rows > 0 {
		s.Blocks = append(s.Blocks, page.Block{Details: &page.Details{Summary: page.Words("All %s", english.Count(rows, "row")),
			Blocks: tables(c, func(compare.Verdict) bool { return true })}})
	}
	if err := page.Write(w, page.Page{Title: english.Sentence(c.Conclusion()), Subtitle: sides(c), Sections: []page.Section{s}}); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

func sides(c *compare.Report) template.HTML {
	var news []string
	for _, t := range c.Tables {
		if !slices.Contains(news, t.New) {
			news = append(news, t.New)
		}
	}
	if len(news) == 0 {
		return "There are no two columns to compare."
	}
	return page.Words("Old: %s. New: %s.", c.Tables[0].Old, strings.Join(news, "; "))
}

// verdictBlock summarises the verdicts. It is a warning if something could not be compared.
func verdictBlock(c *compare.Report) page.Block {
	words := page.Words(`<span class="lead">%s.</span>%s %s. A noisy change counts if it is significant and larger than the threshold. All comparisons together raise a false alarm with a probability of at most %.4g%%. The lines in the tables are 95%% intervals on an axis around no change; the grey area is the threshold.`,
		english.Sentence(c.Verdict()), sides(c), english.Sentence(c.Summary()), 100*c.Alpha)
	if c.Count()["unclear"] > 0 {
		words += " Unclear does not mean no change: there is too much noise to exclude a change as large as the threshold."
	}
	if c.Regressions() > 0 || c.OpenGaps() > 0 {
		return page.Block{Warning: words}
	}
	return page.Block{Callout: words}
}

// tables returns a table for each unit, with the rows that have a wanted verdict and a picture of
// each change.
func tables(c *compare.Report, wanted func(compare.Verdict) bool) (blocks []page.Block) {
	for _, t := range c.Tables {
		columns, rows := t.Cells()
		last := len(columns) - 1 // index of the verdict
		table := &page.Table{Caption: page.Words("%s", t.Title()), Columns: []page.Column{{Title: columns[0], Class: "name"}}}
		for _, name := range columns[1:last] {
			table.Columns = append(table.Columns, page.Column{Title: name, Class: "number"})
		}
		table.Columns = append(table.Columns, page.Column{Title: "drawn", Class: "drawn"}, page.Column{Title: columns[last]})
		var intervals []chart.Interval
		for _, r := range t.Rows {
			if r.Verdict.Compared() {
				intervals = append(intervals, interval95(t, r))
			}
		}
		axis := chart.Around(intervals)
		for i, cells := range rows {
			if !wanted(t.Rows[i].Verdict) {
				continue
			}
			row := []template.HTML{page.Words("<strong>%s</strong>", breakable(cells[0]))}
			for _, cell := range cells[1:last] {
				row = append(row, page.Words("%s", cmp.Or(cell, string(none))))
			}
			picture := none
			if t.Rows[i].Verdict.Compared() {
				picture = interval95(t, t.Rows[i]).SVG(axis, 0)
			}
			table.Add(append(row, picture, page.Words(`<span class="%s">%s</span>`, looks[t.Rows[i].Verdict].class, cells[last]))...)
		}
		if len(table.Rows) > 0 {
			blocks = append(blocks, page.Block{Table: table})
		}
	}
	return blocks
}

// looks has the ink of the interval and the class of the text for each verdict.
var looks = map[compare.Verdict]struct {
	ink   chart.Ink
	class string
}{
	"REGRESSION": {chart.Weak, "weak"}, "improvement": {chart.Good, "good"}, "changed": {chart.Series5, "undecided"},
	"small": {chart.Muted, "plain"}, "no change": {chart.Muted, "plain"}, "new": {chart.Muted, "plain"},
	"unclear": {chart.Muted, "undecided"}, "missing": {chart.Muted, "undecided"}, "too few samples": {chart.Muted, "undecided"}, "inexact": {chart.Muted, "undecided"},
}

func interval95(t compare.Table, r compare.Row) chart.Interval {
	return chart.Interval{Value: r.Effect.Change, Low: r.Effect.Lo, High: r.Effect.Hi, Band: t.Threshold, Ink: looks[r.Verdict].ink}
}
