package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/page"
	"simhashkit/bench/terms"
)

// Widths of pictures whose height depends on what they show.
const (
	wideWidth   = 900
	narrowWidth = 360
)

// changesPicture shows the changes of rows that have been compared, with their intervals.
func changesPicture(c *compare.Report, list []compared) page.Block {
	shown := list[:min(len(list), mostRows)]
	name := labels(c)
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
		intervals = append(intervals, chart.Interval{Name: name(r), Figure: signed(e.Change), Value: 100 * e.Change, Low: 100 * e.Lo, High: 100 * e.Hi, Band: 100 * r.Threshold, Ink: ink})
	}
	picture := chart.Intervals{
		Frame: chart.Frame{
			ID: "comparison-changes", Title: "Changes with their 95% intervals",
			Description: fmt.Sprintf("%s, one below the other: those that got worse first, then those that got better, then the others. The first is %s, %s.", plural(len(shown), "row", "rows"), name(shown[0]), changeWords(shown[0])),
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

var comparisonColumns = []page.Column{{Title: "benchmark", Class: "name"}, {Title: "old", Class: "number"}, {Title: "±", Class: "number"}, {Title: "new", Class: "number"}, {Title: "±", Class: "number"},
	{Title: "change", Class: "number"}, {Title: "95% interval", Class: "number"}, {Title: "p", Class: "number"}, {Title: "verdict"}, {Title: "samples", Class: "number"}, {Title: "from", Class: "row"}}

// changedTable has the rows that have changed, of all units.
func changedTable(c *compare.Report, list []compared) page.Block {
	t := &page.Table{Caption: "Medians with half of their 95% intervals in percent; the change with its interval; p adjusted for the number of comparisons", Columns: comparisonColumns}
	name := labels(c)
	for _, r := range list[:min(len(list), mostRows)] {
		t.Add(cellsOf(name(r), r.Table, r.Row)...)
	}
	if n := len(list) - mostRows; n > 0 {
		t.Caption += page.Words(". %d more are among all rows below", n)
	}
	return page.Block{Table: t}
}

// tableOf has all rows of one unit.
func tableOf(t compare.Table) page.Block {
	direction := map[int]string{-1: "lower is better", 0: "nobody says what is better", +1: "higher is better"}[t.Better]
	rule := "threshold " + share(t.Threshold)
	switch {
	case t.Unjudged:
		rule = "not judged"
	case t.Exact:
		rule = "exact"
		if t.Threshold > 0 {
			rule += ", threshold " + share(t.Threshold)
		}
	}
	caption := page.Words("<strong>%s</strong>: %s, %s; %s → %s", t.Unit, direction, rule, t.Old, t.New)
	for _, f := range t.Config {
		caption += page.Words("; %s: %s", f.Name, f.Value)
	}
	table := &page.Table{Caption: caption, Columns: comparisonColumns}
	for _, r := range t.Rows {
		table.Add(cellsOf(r.Name, t, r)...)
	}
	return page.Block{Table: table}
}

// scales returns the scales of old and new: one for both, so that they can be compared by eye,
// unless one of them would have no digits left.
func scales(unit string, old, new float64) (forOld, forNew benchunit.Scaler) {
	class := benchunit.ClassOf(unit)
	if low, high := min(math.Abs(old), math.Abs(new)), max(math.Abs(old), math.Abs(new)); low != 0 && high/low > 1000 {
		return benchunit.CommonScale([]float64{old}, class), benchunit.CommonScale([]float64{new}, class)
	}
	scale := benchunit.CommonScale([]float64{old, new}, class)
	return scale, scale
}

// cellsOf are the cells of a row.
func cellsOf(name string, t compare.Table, r compare.Row) []template.HTML {
	forOld, forNew := scales(t.Unit, r.Old.Median, r.New.Median)
	value := func(s compare.Side, scale benchunit.Scaler) (center, within template.HTML) {
		switch {
		case s.Samples == 0:
			return none, none
		case t.Exact:
			return page.Words("%s", strconv.FormatFloat(s.Median, 'g', 8, 64)), none
		}
		return page.Words("%s", scale.Format(s.Median)), plusMinus(s.Figure)
	}
	old, oldWithin := value(r.Old, forOld)
	new, newWithin := value(r.New, forNew)
	change, interval, p := none, none, none
	if r.Verdict.Compared() {
		change = page.Words("%s", signed(r.Effect.Change))
		if r.Effect.Noise {
			interval = page.Words("%s", changeInterval(r.Effect))
			p = page.Words("%s", strconv.FormatFloat(r.Effect.P, 'f', 3, 64))
			if r.Effect.P < 0.001 {
				p = "&lt;0.001"
			}
		}
	}
	var samples, from []string
	for _, s := range []compare.Side{r.Old, r.New} {
		if s.Samples == 0 {
			samples = append(samples, "0")
			continue
		}
		samples = append(samples, fmt.Sprintf("%d in %s", s.Samples, plural(s.Runs, "run", "runs")))
		from = append(from, fmt.Sprintf("%s:%d", s.File, s.Line))
	}
	return []template.HTML{page.Words("<strong>%s</strong>", breakable(name)), old, oldWithin, new, newWithin, change, interval, p, comparisonBadge(r.Verdict),
		page.Words("%s", strings.Join(slices.Compact(samples), ", ")), page.Words("<code>%s</code>", breakable(strings.Join(from, ", ")))}
}

// comparisonBadge shows a verdict of a comparison.
func comparisonBadge(v compare.Verdict) template.HTML {
	class := "plain"
	switch v {
	case compare.Regression:
		class = terms.WeakWord
	case compare.Improvement:
		class = terms.GoodWord
	case compare.Changed, compare.Unclear, compare.Missing, compare.TooFew, compare.Inexact:
		class = terms.UndecidedWord
	}
	return page.Words(`<span class="%s">%s</span>`, class, string(v))
}

// mostGaps is how many gaps of a kind stand open.
const mostGaps = 5

// gapBlocks lists what could not be compared, kind by kind.
func gapBlocks(c *compare.Report) []page.Block {
	var blocks []page.Block
	for _, same := range advice.GroupBy(c.Gaps, func(g compare.Gap) compare.GapKind { return g.Kind }) {
		var items []template.HTML
		for _, g := range same {
			items = append(items, page.Words("%s", g.String()))
		}
		blocks = append(blocks, openList(items, mostGaps, " of the kind: "+string(same[0].Kind), false)...)
	}
	if len(blocks) > 0 {
		blocks = slices.Insert(blocks, 0, page.Block{Heading: "What could not be compared"})
	}
	return blocks
}

// signed writes a relative change: +6.12%, −0.50%, 15.2 times for much more, +∞ where the old value
// is 0.
func signed(v float64) string {
	switch {
	case math.IsInf(v, 0):
		return strings.Replace(strings.TrimSuffix(fmt.Sprintf("%+v", v), "Inf")+"∞", "-", "−", 1)
	case v >= 9.995:
		return number(v+1) + " times"
	}
	text := fmt.Sprintf("%+.2f%%", 100*v)
	if text == "-0.00%" {
		text = "+0.00%"
	}
	return strings.Replace(text, "-", "−", 1)
}

// share writes a share of one in percent, with as many digits as it takes.
func share(v float64) string { return fmt.Sprintf("%.4g%%", 100*v) }
