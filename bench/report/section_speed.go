package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/page"
	"simhashkit/bench/terms"
)

// Sizes of pictures: one for wide pages and paper, one for phones, and the small ones that stand
// side by side.
var (
	wide   = chart.Size{Width: 900, Height: 480}
	narrow = chart.Size{Width: 360, Height: 400}
	medium = chart.Size{Width: 440, Height: 330}
	small  = chart.Size{Width: 260, Height: 210}
)

// speedAndQuality shows every choice by what it costs and what its bits are worth.
func (r *report) speedAndQuality() page.Section {
	s := page.Section{ID: "speed", Short: "Speed and quality", Title: "Speed against effective bits"}
	if len(r.choices) == 0 {
		s.Blocks = append(s.Blocks, missing("quality", commandQuality))
		return s
	}
	s.Blocks = append(s.Blocks, page.Block{Paragraph: page.Words(
		"Effective bits are how many bits of an ideal hash would estimate angles with the same mean squared error. Of a case it is the smaller of two figures that counts: over all angles, and at cosine 0.9 and above, where near-duplicates are. " +
			"A full mark is a hash's worst case, the hollow one above it the median of its cases. Those with a ring are on the Pareto front: " +
			"whatever is cheaper is worse in its worst case, by more than the 95%% intervals.")})
	drawn := false
	for i, m := range r.machines {
		times := r.speeds(m)
		if len(times.of) == 0 {
			continue
		}
		drawn = true
		if len(r.machines) > 1 {
			s.Blocks = append(s.Blocks, page.Block{Heading: m.Name})
		}
		s.Blocks = append(s.Blocks, r.scatter(i, times), page.Block{Details: &page.Details{
			Summary: "The numbers: one line for each hash and encoding", Short: true,
			Blocks: []page.Block{{Table: r.choiceTable(times)}},
		}})
	}
	if !drawn {
		s.Blocks = append(s.Blocks, missing("the time of hashes", commandQuality),
			page.Block{Details: &page.Details{Summary: "The numbers: one line for each hash and encoding", Short: true, Blocks: []page.Block{{Table: r.choiceTable(speeds{})}}}})
	}
	s.Blocks = append(s.Blocks, page.Block{Details: &page.Details{
		Summary: page.Words("All %s of quality", plural(len(r.quality), "row", "rows")),
		Blocks:  []page.Block{{Table: r.qualityTable()}},
	}})
	return s
}

func (r *report) scatter(machine int, times speeds) page.Block {
	var dots []chart.Dot
	var costs []float64
	var legend []page.Key
	var numbered []string
	ideal, _ := r.choices[0].cases[0].Number("f")
	top := ideal
	kinds, drawn := r.encodings(), map[string]bool{}
	for _, c := range r.choices {
		cost, _, ok := times.cost(c)
		worst, known := c.worst()
		if !ok || !known {
			continue
		}
		v, unit, _ := least(worst)
		dot := chart.Dot{Name: c.hash, Number: c.number, X: cost.Value, Worst: v, Low: v, High: v, Median: c.median(), Ink: chart.SeriesInk(slices.Index(kinds, c.encoding))}
		if low, ok := worst.Value(unit + "-low"); ok {
			dot.Low = low
		}
		if high, ok := worst.Value(unit + "-high"); ok {
			dot.High = high
		}
		dots = append(dots, dot)
		drawn[c.encoding] = true
		costs = append(costs, cost.Value)
		numbered = append(numbered, fmt.Sprintf("%d %s %s", c.number, c.hash, c.encoding))
		top = max(top, v, c.median())
	}
	if len(dots) == 0 {
		return page.Block{Missing: "No hash has both a time and effective bits."}
	}
	for i, kind := range kinds {
		if drawn[kind] {
			legend = append(legend, page.Key{Class: "dot " + chart.SeriesInk(i).Class() + []string{"", " square", " triangle"}[i%3], Words: kind})
		}
	}
	legend = append(legend, page.Key{Class: "ring", Words: "on the Pareto front"}, page.Key{Class: "muted", Words: "the front"})
	x := chart.LogRange("ns per feature, logarithmic", "", costs...)
	y := chart.Axis{Title: "effective bits of " + r.bits, Min: 0, Max: max(ideal*1.3, min(top*1.15, 4*ideal)), Every: chart.Step(ideal, 8)}
	front := slices.Clone(dots)
	var best []string
	for _, i := range chart.Front(front) {
		best = append(best, front[i].Name)
	}
	picture := chart.Scatter{
		Frame: chart.Frame{
			ID:    fmt.Sprintf("speed-%d", machine+1),
			Title: "Speed against effective bits",
			Description: fmt.Sprintf("%d hashes by time per feature, from %s to %s ns, and by effective bits of %s in their worst case and band. On the Pareto front, from cheap to dear: %s.",
				len(dots), number(slices.Min(costs)), number(slices.Max(costs)), r.bits, strings.Join(best, ", ")),
		},
		X: x, Y: y, Dots: dots, Best: ideal,
	}
	phone := picture
	phone.ID += "-narrow"
	return page.Block{Pictures: &page.Pictures{Layout: page.Single, Legend: legend, Figures: []page.Figure{{
		Forms: []template.HTML{picture.SVG(wide, "wide", false), phone.SVG(narrow, "narrow", true)},
		Caption: page.Words(`Time: %s, the best kernel of each hash. Effective bits: the smaller of both bands (all angles, cosine ≥ 0.9) with the interval of that band. The dotted line is an ideal hash. Not shown: %s.<span class="wide"> Where a name has no room, the number of a line of the table below stands for it.</span><span class="narrow"> Numbers stand for lines of the table below: %s.</span>`,
			times.what, r.notShown(times), strings.Join(numbered, ", ")),
	}}}}
}

// encodings lists those of the choices in their order.
func (r *report) encodings() []string {
	var list []string
	for _, c := range r.choices {
		if !slices.Contains(list, c.encoding) {
			list = append(list, c.encoding)
		}
	}
	slices.SortFunc(list, byKey)
	return list
}

func (r *report) notShown(times speeds) string {
	var without []*choice
	for _, c := range r.choices {
		_, known := c.worst()
		if _, _, ok := times.cost(c); !ok || !known {
			without = append(without, c)
		}
	}
	if len(without) == 0 {
		return "none"
	}
	return names(without) + ", which that run did not time or whose effective bits are unknown"
}

func (r *report) choiceTable(times speeds) *page.Table {
	t := &page.Table{
		Caption: page.Words("%s bits, %s; median time and 95%% interval; worst case and median of the cases, each by the smaller of both bands", r.bits, plural(len(r.cases), "case", "cases")),
		Columns: []page.Column{{Title: "no.", Class: "number"}, {Title: "hash"}, {Title: "encoding"}, {Title: "ns per feature", Class: "number"}, {Title: "±", Class: "number"},
			{Title: "worst", Class: "number"}, {Title: "95% interval", Class: "number"}, {Title: "pattern, weights"}, {Title: "median", Class: "number"},
			{Title: "good / undecided / weak", Class: "number"}, {Title: "verdict"}, {Title: "rows", Class: "row"}},
	}
	for _, c := range r.choices {
		cost, within, traced := none, none, []string{}
		if f, cell, ok := times.cost(c); ok {
			cost, within = template.HTML(number(f.Value)), plusMinus(f)
			traced = append(traced, string(r.row(cell)))
		}
		worst, median, bits, within95 := "–", none, none, none
		cell, ok := c.worst()
		if ok {
			v, unit, _ := least(cell)
			worst, bits, within95, median = shortCase(cell)+atBand(unit), template.HTML(number(v)), interval(cell, unit), template.HTML(number(c.median()))
			traced = append(traced, string(r.row(cell)))
		}
		t.Add(page.Words("%d", c.number), page.Words("<strong>%s</strong>", c.hash), page.Words("%s", c.encoding), cost, within, bits, within95, page.Words("%s", worst), median,
			page.Words("%d / %d / %d", len(c.judged(terms.Good)), len(c.judged(terms.Undecided)), len(c.judged(terms.Weak))),
			badge(c.verdict())+c.fewer(), template.HTML(strings.Join(traced, "<br>")))
	}
	return t
}

// qualityTable has all rows of quality, of all widths.
func (r *report) qualityTable() *page.Table {
	t := &page.Table{
		Caption: "Effective bits, over all angles and at cosine ≥ 0.9, with 95% intervals; bias and root mean squared error in radians; variance as a multiple of the ideal one; hard defects; p-values of the most significant test of each kind, corrected for all tests of the row; verdict",
		Columns: []page.Column{{Title: "hash"}, {Title: "encoding"}, {Title: "pattern"}, {Title: "weights"}, {Title: "f", Class: "number"},
			{Title: "effective bits", Class: "number"}, {Title: "95% interval", Class: "number"}, {Title: "cosine ≥ 0.9", Class: "number"}, {Title: "95% interval", Class: "number"},
			{Title: "bias", Class: "number"}, {Title: "RMSE", Class: "number"}, {Title: "variance ratio", Class: "number"},
			{Title: "constant bits", Class: "number"}, {Title: "copied bits", Class: "number"},
			{Title: "p: bias of a bit", Class: "number"}, {Title: "p: correlation", Class: "number"}, {Title: "p: avalanche", Class: "number"},
			{Title: "unrelated: mean", Class: "number"}, {Title: "p", Class: "number"}, {Title: "variance", Class: "number"}, {Title: "p", Class: "number"},
			{Title: "verdict"}, {Title: "row", Class: "row"}},
	}
	for _, c := range r.quality {
		t.Add(page.Words("<strong>%s</strong>", hashOf(c)), page.Words("%s", c.Encoding()), page.Words("%s", c.Name.Get("pattern")), page.Words("%s", c.Name.Get("weights")), page.Words("%s", c.Name.Get("f")),
			cellNumber(c, "effective-bits"), interval(c, "effective-bits"), cellNumber(c, "effective-bits-cos90"), interval(c, "effective-bits-cos90"),
			cellNumber(c, "bias"), cellNumber(c, "rmse"), cellNumber(c, "variance-ratio"), count(c, "constant-bits"), count(c, "copied-bits"),
			pValue(c, "bias-p"), pValue(c, "correlation-p"), pValue(c, "avalanche-p"),
			cellNumber(c, "unrelated-mean-ratio"), pValue(c, "unrelated-mean-p"), cellNumber(c, "unrelated-variance-ratio"), pValue(c, "unrelated-variance-p"), badge(verdictOf(c)), r.row(c))
	}
	return t
}
