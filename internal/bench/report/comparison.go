package report

import (
	"cmp"
	"html/template"
	"io"
	"slices"
	"strings"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/english"
)

// WriteComparison writes a comparison as one HTML file.
func WriteComparison(w io.Writer, c *compare.Report) error {
	s := section{ID: "comparison", Short: "Comparison", Title: "Old against new: what has changed", Blocks: []block{verdictBlock(c)}}
	s.Blocks = append(s.Blocks, tables(c, func(v compare.Verdict) bool {
		return v == compare.Regression || v == compare.Improvement || v == compare.Changed
	})...)
	for _, remarks := range []struct {
		heading string
		lines   []string
	}{{"What could not be compared", c.GapLines()}, {"Notes on these results", c.Notes}} {
		var items []template.HTML
		for _, line := range remarks.lines {
			items = append(items, markup("%s", line))
		}
		if len(items) > 0 {
			s.Blocks = append(s.Blocks, block{Heading: remarks.heading}, block{List: items})
		}
	}
	rows := 0
	for _, t := range c.Tables {
		rows += len(t.Rows)
	}
	if rows > 0 {
		s.Blocks = append(s.Blocks, block{Details: &details{Summary: markup("All %s", english.Count(rows, "row")),
			Blocks: tables(c, func(compare.Verdict) bool { return true })}})
	}
	return page{Title: english.Sentence(c.Conclusion()), Subtitle: sides(c), Sections: []section{s}}.write(w)
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
	return markup("Old: %s. New: %s.", c.Tables[0].Old, strings.Join(news, "; "))
}

// verdictBlock summarises the verdicts. It is a warning if something could not be compared.
func verdictBlock(c *compare.Report) block {
	words := markup(`<span class="lead">%s.</span>%s %s. A noisy change counts if it is significant and larger than the threshold. All comparisons together raise a false alarm with a probability of at most %.4g%%. The lines in the tables are 95%% intervals on an axis around no change; the grey area is the threshold.`,
		english.Sentence(c.Verdict()), sides(c), english.Sentence(c.Summary()), 100*c.Alpha)
	if c.Count()[compare.Unclear] > 0 {
		words += " Unclear does not mean no change: there is too much noise to exclude a change as large as the threshold."
	}
	if c.Regressions() > 0 || c.OpenGaps() > 0 {
		return block{Warning: words}
	}
	return block{Callout: words}
}

// tables returns a table for each unit, with the rows that have a wanted verdict and a picture of
// each change.
func tables(c *compare.Report, wanted func(compare.Verdict) bool) (blocks []block) {
	for _, t := range c.Tables {
		columns, rows := t.Cells()
		last := len(columns) - 1 // index of the verdict
		changes := &table{Caption: markup("%s", t.Title()), Columns: []column{{Title: columns[0], Class: "name"}}}
		for _, name := range columns[1:last] {
			changes.Columns = append(changes.Columns, column{Title: name, Class: "number"})
		}
		changes.Columns = append(changes.Columns, column{Title: "drawn", Class: "drawn"}, column{Title: columns[last]})
		var intervals []interval
		for _, r := range t.Rows {
			if r.Verdict.Compared() {
				intervals = append(intervals, interval95(t, r))
			}
		}
		scale := axisAround(intervals)
		for i, cells := range rows {
			if !wanted(t.Rows[i].Verdict) {
				continue
			}
			row := []template.HTML{markup("<strong>%s</strong>", breakable(cells[0]))}
			for _, cell := range cells[1:last] {
				row = append(row, markup("%s", cmp.Or(cell, string(none))))
			}
			picture := none
			if t.Rows[i].Verdict.Compared() {
				picture = interval95(t, t.Rows[i]).svg(scale, 0)
			}
			changes.add(append(row, picture, markup(`<span class="%s">%s</span>`, looks[t.Rows[i].Verdict].class, cells[last]))...)
		}
		if len(changes.Rows) > 0 {
			blocks = append(blocks, block{Table: changes})
		}
	}
	return blocks
}

// looks has the ink of the interval and the class of the text for each verdict.
var looks = map[compare.Verdict]struct {
	ink   ink
	class string
}{
	compare.Regression: {inkWeak, "weak"}, compare.Improvement: {inkGood, "good"}, compare.Changed: {inkUndecided, "undecided"},
	compare.Small: {inkMuted, "plain"}, compare.NoChange: {inkMuted, "plain"}, compare.New: {inkMuted, "plain"},
	compare.Unclear: {inkMuted, "undecided"}, compare.Missing: {inkMuted, "undecided"}, compare.TooFew: {inkMuted, "undecided"}, compare.Inexact: {inkMuted, "undecided"},
}

func interval95(t compare.Table, r compare.Row) interval {
	return interval{value: r.Effect.Change, low: r.Effect.Lo, high: r.Effect.Hi, band: t.Threshold, ink: looks[r.Verdict].ink}
}
