package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/page"
	"simhashkit/internal/english"
)

// Sizes of pictures: those that have a line to themselves, and those that stand side by side.
var (
	wide   = chart.Size{Width: 900, Height: 480}
	medium = chart.Size{Width: 440, Height: 330}
)

// speedAndQuality plots the cost of every choice against its effective bits.
func (r *report) speedAndQuality() page.Section {
	s := page.Section{ID: "speed", Short: "Speed and quality", Title: "Speed against effective bits"}
	if len(r.advice.Choices) == 0 {
		s.Blocks = append(s.Blocks, missing("the quality of hashes", commandQuality))
		return s
	}
	s.Blocks = append(s.Blocks, page.Block{Paragraph: "Effective bits are how many bits of an ideal hash would estimate angles with the same mean squared error. " +
		"A mark is a hash in its worst case, a pattern of indices with a kind of weights, by the smaller of two figures: over all angles, and at cosine 0.9 and above, where near-duplicates are. " +
		"The upright line is its 95% interval. Marks with a ring are on the Pareto front: whatever is cheaper is worse, by more than the intervals."})
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
	return s
}

func (r *report) scatter(machine int, times advice.Times) page.Block {
	var dots []chart.Dot
	var costs []float64
	ideal := float64(r.advice.Bits)
	top := ideal
	kinds := slices.SortedFunc(slices.Values(r.encodings()), advice.CompareValues)
	drawn := map[string]bool{}
	for i, c := range r.advice.Choices {
		time, worst, ok := dotOf(c, times)
		if !ok {
			continue
		}
		f, _ := worst.Worse()
		dot := chart.Dot{Name: c.Hash, Number: i + 1, X: time.Median, Y: f.Median, Low: f.Median, High: f.Median, Ink: chart.SeriesInk(slices.Index(kinds, c.Encoding))}
		if advice.Bounded(*f) {
			dot.Low, dot.High = f.Lo, f.Hi
		}
		dots = append(dots, dot)
		drawn[c.Encoding] = true
		costs = append(costs, dot.X)
		top = max(top, dot.High)
	}
	if len(dots) == 0 {
		return page.Block{Missing: "No hash has both a time and effective bits."}
	}
	var legend []page.Key
	for i, kind := range kinds {
		if drawn[kind] {
			legend = append(legend, page.Key{Class: "dot " + chart.SeriesInk(i).Class() + []string{"", " square", " triangle"}[i%3], Words: kind})
		}
	}
	legend = append(legend, page.Key{Class: "ring", Words: "on the Pareto front"}, page.Key{Class: "muted", Words: "the front"})
	var best []string
	for _, i := range chart.Front(dots) {
		best = append(best, dots[i].Name)
	}
	picture := chart.Scatter{
		Frame: chart.Frame{
			ID:    fmt.Sprintf("speed-%d", machine+1),
			Title: "Speed against effective bits",
			Description: fmt.Sprintf("%d hashes by time per feature, from %s to %s ns, and by effective bits of %d in their worst case and band. On the Pareto front, from cheap to dear: %s.",
				len(dots), number(slices.Min(costs)), number(slices.Max(costs)), r.advice.Bits, strings.Join(best, ", ")),
		},
		X:    chart.LogRange("ns per feature, logarithmic", costs...),
		Y:    chart.Axis{Title: fmt.Sprintf("effective bits of %d", r.advice.Bits), Min: 0, Max: max(ideal*1.3, min(top*1.15, 4*ideal)), Every: chart.Step(ideal, 8)},
		Dots: dots, Best: ideal,
	}
	return page.Block{Pictures: &page.Pictures{Layout: page.Single, Legend: legend, Figures: []page.Figure{{
		Picture: picture.SVG(wide),
		Caption: page.Words("Time: %s, the best kernel of each hash. The dotted line is an ideal hash. Where a name has no room, the number of a line of the table below stands for it. Not shown: %s.", times.Of, r.notShown(times)),
	}}}}
}

func (r *report) encodings() (list []string) {
	for _, c := range r.advice.Choices {
		if !slices.Contains(list, c.Encoding) {
			list = append(list, c.Encoding)
		}
	}
	return list
}

// dotOf returns the dot of a choice: its time and its worst case; false if either is unknown.
func dotOf(c *advice.Choice, times advice.Times) (time advice.Time, worst advice.Case, ok bool) {
	time, timed := times.Get(c)
	worst, known := c.Fewest()
	return time, worst, timed && known && chart.OnLog(time.Median)
}

func (r *report) notShown(times advice.Times) string {
	without := slices.DeleteFunc(slices.Clone(r.advice.Choices), func(c *advice.Choice) bool { _, _, ok := dotOf(c, times); return ok })
	if len(without) == 0 {
		return "none"
	}
	return advice.Names(without) + ", which that run did not time or whose effective bits are unknown"
}

// choices is the table of the choices, with their times on a machine.
func (r *report) choices(times advice.Times) page.Block {
	t := &page.Table{
		Caption: page.Words("%d bits, %s; median time and 95%% interval; worst case, by the smaller of both bands", r.advice.Bits, english.Count(r.advice.Cases, "case")),
		Columns: []page.Column{{Title: "no.", Class: "number"}, {Title: "hash"}, {Title: "encoding"}, {Title: "ns per feature", Class: "number"},
			{Title: "effective bits", Class: "number"}, {Title: "95% interval", Class: "number"}, {Title: "worst case"}, {Title: "verdict"}, {Title: "rows", Class: "row"}},
	}
	for i, c := range r.advice.Choices {
		cost, traced := none, []string{}
		if time, ok := times.Get(c); ok {
			cost = page.Words("%s ± %s", number(time.Median), time.PlusMinus())
			traced = append(traced, string(r.row(time.Row)))
		}
		worst, bits, within95 := "–", none, none
		if k, ok := c.Fewest(); ok {
			f, near := k.Worse()
			worst, bits, within95 = joined(k.Row.Name.Get("pattern"), k.Row.Name.Get("weights"), k.Row.Name.Get("data")), template.HTML(number(f.Median)), interval(f)
			if near {
				worst += " at cosine ≥ 0.9"
			}
			traced = append(traced, string(r.row(k.Row)))
		}
		t.Add(page.Words("%d", i+1), page.Words("<strong>%s</strong>", c.Hash), page.Words("%s", c.Encoding), cost, bits, within95, page.Words("%s", worst),
			badge(c.Verdict().String()), template.HTML(strings.Join(traced, "<br>")))
	}
	return page.Block{Details: &page.Details{Summary: "The numbers: one line for each hash and encoding", Short: true, Blocks: []page.Block{{Table: t}}}}
}
