package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"simhashkit/bench/advice"
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
	if len(r.advice.Choices) == 0 {
		s.Blocks = append(s.Blocks, missing("the quality of hashes", commandQuality))
		return s
	}
	s.Blocks = append(s.Blocks, page.Block{Paragraph: page.Words(
		"Effective bits are how many bits of an ideal hash would estimate angles with the same mean squared error. Of a case it is the smaller of two figures that counts: over all angles, and at cosine 0.9 and above, where near-duplicates are. " +
			"A full mark is a hash's worst case, the hollow one above it the median of its cases. Those with a ring are on the Pareto front: " +
			"whatever is cheaper is worse in its worst case, by more than the 95%% intervals.")})
	drawn := false
	for i, m := range r.advice.Machines {
		if !m.Times.Any() {
			continue
		}
		drawn = true
		if len(r.advice.Machines) > 1 {
			s.Blocks = append(s.Blocks, page.Block{Heading: m.Machine})
		}
		s.Blocks = append(s.Blocks, r.scatter(i, m.Times), r.choices(m.Times))
	}
	if !drawn {
		s.Blocks = append(s.Blocks, missing("the time of hashes", commandQuality), r.choices(advice.Times{}))
	}
	s.Blocks = append(s.Blocks, page.Block{Details: &page.Details{
		Summary: page.Words("All %s of quality", plural(len(r.quality), "row", "rows")),
		Blocks:  []page.Block{{Table: r.qualityTable()}},
	}})
	return s
}

func (r *report) scatter(machine int, times advice.Times) page.Block {
	var dots []chart.Dot
	var costs []float64
	var legend []page.Key
	var numbered []string
	ideal := float64(r.advice.Bits)
	top := ideal
	var kinds []string // of encodings
	for _, same := range advice.GroupBy(r.advice.Choices, func(c *advice.Choice) string { return c.Encoding }) {
		kinds = append(kinds, same[0].Encoding)
	}
	slices.SortFunc(kinds, advice.CompareValues)
	drawn := map[string]bool{}
	for i, c := range r.advice.Choices {
		time, worst, ok := dotOf(c, times)
		if !ok {
			continue
		}
		f, _ := worst.Worse()
		dot := chart.Dot{Name: c.Hash, Number: i + 1, X: time.Median, Worst: f.Median, Low: f.Median, High: f.Median, Median: c.Median(), Ink: chart.SeriesInk(slices.Index(kinds, c.Encoding))}
		if advice.Bounded(*f) {
			dot.Low, dot.High = f.Lo, f.Hi
		}
		dots = append(dots, dot)
		drawn[c.Encoding] = true
		costs = append(costs, dot.X)
		numbered = append(numbered, fmt.Sprintf("%d %s %s", i+1, c.Hash, c.Encoding))
		top = max(top, dot.Worst, dot.Median)
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
	y := chart.Axis{Title: fmt.Sprintf("effective bits of %d", r.advice.Bits), Min: 0, Max: max(ideal*1.3, min(top*1.15, 4*ideal)), Every: chart.Step(ideal, 8)}
	front := slices.Clone(dots)
	var best []string
	for _, i := range chart.Front(front) {
		best = append(best, front[i].Name)
	}
	picture := chart.Scatter{
		Frame: chart.Frame{
			ID:    fmt.Sprintf("speed-%d", machine+1),
			Title: "Speed against effective bits",
			Description: fmt.Sprintf("%d hashes by time per feature, from %s to %s ns, and by effective bits of %d in their worst case and band. On the Pareto front, from cheap to dear: %s.",
				len(dots), number(slices.Min(costs)), number(slices.Max(costs)), r.advice.Bits, strings.Join(best, ", ")),
		},
		X: x, Y: y, Dots: dots, Best: ideal,
	}
	phone := picture
	phone.ID += "-narrow"
	return page.Block{Pictures: &page.Pictures{Layout: page.Single, Legend: legend, Figures: []page.Figure{{
		Forms: []template.HTML{picture.SVG(wide, "wide", false), phone.SVG(narrow, "narrow", true)},
		Caption: page.Words(`Time: %s, the best kernel of each hash. Effective bits: the smaller of both bands (all angles, cosine ≥ 0.9) with the interval of that band. The dotted line is an ideal hash. Not shown: %s.<span class="wide"> Where a name has no room, the number of a line of the table below stands for it.</span><span class="narrow"> Numbers stand for lines of the table below: %s.</span>`,
			times.Of, r.notShown(times), strings.Join(numbered, ", ")),
	}}}}
}

// dotOf returns what the picture shows of a choice: its time and its worst case; false where either
// is not known.
func dotOf(c *advice.Choice, times advice.Times) (time advice.Time, worst advice.Case, ok bool) {
	time, timed := times.Get(c)
	worst, known := c.Fewest()
	return time, worst, timed && known && chart.OnLog(time.Median)
}

func (r *report) notShown(times advice.Times) string {
	var without []*advice.Choice
	for _, c := range r.advice.Choices {
		if _, _, ok := dotOf(c, times); !ok {
			without = append(without, c)
		}
	}
	if len(without) == 0 {
		return "none"
	}
	return names(without) + ", which that run did not time or whose effective bits are unknown"
}

// choices is the table of the choices, with their times on a machine.
func (r *report) choices(times advice.Times) page.Block {
	t := &page.Table{
		Caption: page.Words("%d bits, %s; median time and 95%% interval; worst case and median of the cases, each by the smaller of both bands", r.advice.Bits, plural(r.advice.Cases, "case", "cases")),
		Columns: []page.Column{{Title: "no.", Class: "number"}, {Title: "hash"}, {Title: "encoding"}, {Title: "ns per feature", Class: "number"}, {Title: "±", Class: "number"},
			{Title: "worst", Class: "number"}, {Title: "95% interval", Class: "number"}, {Title: "pattern, weights"}, {Title: "median", Class: "number"},
			{Title: "good / undecided / weak", Class: "number"}, {Title: "verdict"}, {Title: "rows", Class: "row"}},
	}
	for i, c := range r.advice.Choices {
		cost, within, traced := none, none, []string{}
		if time, ok := times.Get(c); ok {
			cost, within = template.HTML(number(time.Median)), plusMinus(time.Figure)
			traced = append(traced, string(r.row(time.Row)))
		}
		worst, middle, bits, within95 := "–", none, none, none
		if k, ok := c.Fewest(); ok {
			f, near := k.Worse()
			worst, bits, within95, middle = shortName(k.Row)+atBand(near), median(f), interval(f), template.HTML(number(c.Median()))
			traced = append(traced, string(r.row(k.Row)))
		}
		t.Add(page.Words("%d", i+1), page.Words("<strong>%s</strong>", c.Hash), page.Words("%s", c.Encoding), cost, within, bits, within95, page.Words("%s", worst), middle,
			page.Words("%d / %d / %d", len(c.Judged(terms.Good)), len(c.Judged(terms.Undecided)), len(c.Judged(terms.Weak))),
			badge(c.Verdict())+fewer(c), template.HTML(strings.Join(traced, "<br>")))
	}
	return page.Block{Details: &page.Details{
		Summary: "The numbers: one line for each hash and encoding", Short: true,
		Blocks: []page.Block{{Table: t}},
	}}
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
		k := advice.NewCase(c)
		t.Add(page.Words("<strong>%s</strong>", advice.HashOf(c)), page.Words("%s", c.Encoding()), page.Words("%s", c.Name.Get("pattern")), page.Words("%s", c.Name.Get("weights")), page.Words("%s", c.Name.Get("f")),
			median(k.All), interval(k.All), median(k.Cos90), interval(k.Cos90),
			cellNumber(c, terms.Bias), cellNumber(c, terms.RMSE), cellNumber(c, terms.VarianceRatio), count(c, terms.ConstantBits), count(c, terms.CopiedBits),
			pValue(c, terms.BiasP), pValue(c, terms.CorrelationP), pValue(c, terms.AvalancheP),
			cellNumber(c, terms.UnrelatedMeanRatio), pValue(c, terms.UnrelatedMeanP), cellNumber(c, terms.UnrelatedVarianceRatio), pValue(c, terms.UnrelatedVarianceP), badge(k.Verdict), r.row(c))
	}
	return t
}
