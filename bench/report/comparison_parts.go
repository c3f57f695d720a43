package report

import (
	"cmp"
	"fmt"
	"html/template"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/page"
	"simhashkit/bench/terms"
	"simhashkit/internal/english"
)

// Widths of pictures whose height depends on what they show.
const (
	wideWidth   = 900
	narrowWidth = 360
)

// changesPicture shows the changes of rows that have been compared, with their intervals.
func changesPicture(c *compare.Report, list []compared) page.Block {
	shown := list[:min(len(list), mostRows)]
	var intervals []chart.Interval
	for _, r := range shown {
		ink := chart.Muted
		switch r.Verdict {
		case compare.Regression:
			ink = chart.Weak
		case compare.Improvement:
			ink = chart.Good
		case compare.Changed:
			ink = chart.Series5
		}
		e := r.Effect
		intervals = append(intervals, chart.Interval{Name: label(c, r), Figure: compare.SignedPercent(e.Change), Value: 100 * e.Change, Low: 100 * e.Lo, High: 100 * e.Hi, Band: 100 * r.Threshold, Ink: ink})
	}
	picture := chart.Intervals{
		Frame: chart.Frame{
			ID: "comparison-changes", Title: "Changes with their 95% intervals",
			Description: fmt.Sprintf("%s, one below the other: those that got worse first, then those that got better, then the others. The first is %s, %s.", english.Count(len(shown), "row"), label(c, shown[0]), compare.SignedPercent(shown[0].Effect.Change)),
		},
		X: chart.AroundZero("change from old to new", "%", intervals), Rows: intervals,
	}
	phone := picture
	phone.ID += "-narrow"
	caption := page.Words("The lines are 95%% intervals; an arrow means that one goes on beyond the picture. To the right of 0%% the new value is larger than the old one; colour and shape of the mark say whether that is better or worse.")
	if len(shown) < len(list) {
		caption += page.Words(" Drawn are %d of %d rows that were compared, those first that matter most; the table has all.", len(shown), len(list))
	}
	return page.Block{Pictures: &page.Pictures{Layout: page.Single,
		Legend: []page.Key{{Class: "dot square worse", Words: "got worse"}, {Class: "dot better", Words: "got better"}, {Class: "dot triangle muted", Words: "neither, as far as can be told"}, {Class: "area muted", Words: "within the threshold"}},
		Figures: []page.Figure{{
			Forms:   []template.HTML{picture.SVG(wideWidth, "wide"), phone.SVG(narrowWidth, "narrow")},
			Caption: caption,
		}}}}
}

// tables has the rows that are wanted, those of each unit in a table of their own.
func tables(c *compare.Report, wanted func(compare.Row) bool) (blocks []page.Block) {
	for _, t := range c.Tables {
		table := &page.Table{Caption: page.Words("%s", t.Title())}
		for i, name := range compare.CellNames {
			table.Columns = append(table.Columns, page.Column{Title: name, Class: map[int]string{0: "name", len(compare.CellNames) - 1: ""}[i]})
			if i > 0 && i < len(compare.CellNames)-1 {
				table.Columns[i].Class = "number"
			}
		}
		for i, cells := range t.Cells() {
			if !wanted(t.Rows[i]) {
				continue
			}
			row := []template.HTML{page.Words("<strong>%s</strong>", breakable(cells[0]))}
			for _, cell := range cells[1 : len(cells)-1] {
				row = append(row, page.Words("%s", cmp.Or(cell, string(none))))
			}
			table.Add(append(row, comparisonBadge(t.Rows[i].Verdict, cells[len(cells)-1]))...)
		}
		if len(table.Rows) > 0 {
			blocks = append(blocks, page.Block{Table: table})
		}
	}
	return blocks
}

// comparisonBadge shows the words of a verdict.
func comparisonBadge(v compare.Verdict, words string) template.HTML {
	class := "plain"
	switch v {
	case compare.Regression:
		class = terms.WeakWord
	case compare.Improvement:
		class = terms.GoodWord
	case compare.Changed, compare.Unclear, compare.Missing, compare.TooFew, compare.Inexact:
		class = terms.UndecidedWord
	}
	return page.Words(`<span class="%s">%s</span>`, class, words)
}
