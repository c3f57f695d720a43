package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/report/chart"
	"simhashkit/internal/bench/report/page"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/english"
	"simhashkit/internal/gobench/benchname"
)

// Sizes of single pictures, and of pictures side by side.
var (
	wide   = chart.Size{Width: 900, Height: 480}
	medium = chart.Size{Width: 440, Height: 330}
)

func (r *report) speedAndQuality() page.Section {
	s := page.Section{ID: "speed", Short: "Speed and quality", Title: "Speed against effective bits"}
	if len(r.advice.Choices) == 0 {
		s.Blocks = append(s.Blocks, missing("the quality of hashes", commandQuality))
		return s
	}
	s.Blocks = append(s.Blocks, page.Block{Paragraph: "Effective bits are the number of bits of an ideal hash that would estimate angles with the same mean squared error. " +
		"Each mark is a hash in its worst case, which is a pattern of indices with a kind of weights. It shows the smaller of two figures: over all angles, and at cosine 0.9 and above, where near-duplicates are. " +
		"The lines are 95% intervals of both figures. The mark with a ring is the recommended hash."})
	drawn := false
	for i, m := range r.advice.Machines {
		if !m.Times.Any() {
			continue
		}
		drawn = true
		if len(r.advice.Machines) > 1 {
			s.Blocks = append(s.Blocks, page.Block{Heading: m.Machine})
		}
		s.Blocks = append(s.Blocks, r.scatter(i, m), r.choices(m.Times))
	}
	if !drawn {
		s.Blocks = append(s.Blocks, missing("the time of hashes", commandQuality), r.choices(advice.Times{}))
	}
	return s
}

func (r *report) scatter(machine int, m advice.Ranking) page.Block {
	times := m.Times
	var dots []chart.Dot
	var costs, spans []float64
	ideal := float64(r.advice.Bits)
	top := ideal
	var kinds []string // encodings
	for _, c := range r.advice.Choices {
		kinds = append(kinds, c.Encoding)
	}
	slices.SortFunc(kinds, advice.CompareEncodings)
	kinds = slices.Compact(kinds)
	drawn := map[string]bool{}
	for i, c := range r.advice.Choices {
		time, worst, ok := dotOf(c, times)
		if !ok {
			continue
		}
		f, _ := worst.Worse()
		dot := chart.Dot{Name: c.Hash, Number: i + 1, X: time.Median, Left: time.Median, Right: time.Median, Y: f.Median, Low: f.Median, High: f.Median,
			Ink: chart.SeriesInk(slices.Index(kinds, c.Encoding)), Ring: c == m.Best}
		if advice.Bounded(time.Figure) && chart.OnLog(time.Lo) && chart.OnLog(time.Hi) {
			dot.Left, dot.Right = time.Lo, time.Hi
		}
		if advice.Bounded(*f) {
			dot.Low, dot.High = f.Lo, f.Hi
		}
		dots = append(dots, dot)
		drawn[c.Encoding] = true
		costs, spans = append(costs, dot.X), append(spans, dot.Left, dot.Right)
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
	legend = append(legend, page.Key{Class: "ring", Words: "recommended"})
	ringed := "none"
	if m.Best != nil {
		ringed = m.Best.Hash
	}
	picture := chart.Scatter{
		Frame: chart.Frame{
			ID:    fmt.Sprintf("speed-%d", machine+1),
			Title: "Speed against effective bits",
			Description: fmt.Sprintf("%d hashes by time per feature, from %s to %s ns, and by effective bits of %d in their worst case and band. Recommended: %s.",
				len(dots), number(slices.Min(costs)), number(slices.Max(costs)), r.advice.Bits, ringed),
		},
		X:    chart.LogRange("ns per feature, logarithmic", spans...),
		Y:    chart.Axis{Title: fmt.Sprintf("effective bits of %d", r.advice.Bits), Min: 0, Max: max(ideal*1.3, min(top*1.15, 4*ideal)), Every: chart.Step(ideal, 8)},
		Dots: dots, Best: ideal,
	}
	return page.Block{Pictures: &page.Pictures{Layout: page.Single, Legend: legend, Figures: []page.Figure{{
		Picture: picture.SVG(wide),
		Caption: page.Words("Time: %s, with the fastest kernel of each hash. The dotted line is an ideal hash. Names that do not fit are replaced by line numbers of the table below. Not shown: %s.", times.Of, r.notShown(times)),
	}}}}
}

// dotOf returns the time and the worst case of a choice, and false if either is unknown.
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
	return advice.Names(without) + ", which were not timed in that run or have no effective bits"
}

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
			worst, bits, within95 = k.Row.Name.Get("pattern")+", "+k.Row.Name.Get("weights"), template.HTML(number(f.Median)), interval(f)
			if data := k.Row.Name.Get("data"); data != "" {
				worst += ", " + data
			}
			if near {
				worst += " at cosine ≥ 0.9"
			}
			traced = append(traced, string(r.row(k.Row)))
		}
		t.Add(page.Words("%d", i+1), page.Words("<strong>%s</strong>", c.Hash), page.Words("%s", c.Encoding), cost, bits, within95, page.Words("%s", worst),
			page.Words(`<span class="%s">%s</span>`, c.Verdict().String(), c.Verdict().String()), template.HTML(strings.Join(traced, "<br>")))
	}
	return page.Block{Details: &page.Details{Summary: "The numbers: one line for each hash and encoding", Short: true, Blocks: []page.Block{{Table: t}}}}
}

// kernels shows the time per feature by the number of features, for every kernel.
func (r *report) kernels() page.Section {
	s := page.Section{ID: "kernels", Short: "Kernels", Title: "Time per feature, by kernel and number of features"}
	for i, m := range r.machines {
		pictures := r.kernelsOn(m, i+1)
		if pictures == nil {
			continue
		}
		if len(s.Blocks) == 0 {
			s.Blocks = append(s.Blocks, page.Block{Paragraph: "Both axes are logarithmic, so a falling straight line is a fixed cost per vector, divided by the number of features. All lines of a picture are from one run. " +
				"<code>naive</code> is the loop that most programs use. The other kernels depend on the processor."})
		}
		if len(r.machines) > 1 {
			s.Blocks = append(s.Blocks, page.Block{Heading: m.Name})
		}
		s.Blocks = append(s.Blocks, page.Block{Pictures: pictures})
	}
	if len(s.Blocks) == 0 {
		s.Blocks = append(s.Blocks, missing("kernels at several numbers of features", commandKernels))
	}
	return s
}

// kernelOrder gives each kernel the same colour in all pictures.
var kernelOrder = []string{terms.Naive, terms.Library, "generic", "avx2", "avx512", "avx512gfni", "neon"}

func (r *report) kernelsOn(m advice.Machine, machine int) *page.Pictures {
	pictures := &page.Pictures{Layout: page.Pairs}
	for _, base := range []string{terms.Accumulate, terms.Sketch} {
		for _, weights := range []string{"unit", "f32"} {
			usable := slices.DeleteFunc(slices.Concat(m.Runs(base)...), func(c advice.Cell) bool { return c.Name.Get("weights") != weights || unusual(c) })
			panel := largest(usable)
			if len(panel) == 0 {
				continue
			}
			name := panel[0].Name
			what := weights + " weights: whole sketch with " + name.Get("hash") + ", f = " + name.Get("f")
			if base == terms.Accumulate {
				what = weights + " weights: adding and signs, f = " + name.Get("f")
			}
			caption := page.Words("<strong>%s</strong>", what)
			if len(r.set.Sources) > 1 {
				caption += page.Words(` From <a href="#file-%d">file %d</a>.`, panel[0].Source+1, panel[0].Source+1)
			}
			id := fmt.Sprintf("kernels-%d-%d", machine, len(pictures.Figures)+1)
			if picture := kernelLines(panel, id, "Time per feature, "+what); picture != "" {
				pictures.Figures = append(pictures.Figures, page.Figure{Picture: picture, Caption: caption})
			}
		}
	}
	if len(pictures.Figures) == 0 {
		return nil
	}
	return pictures
}

// kernelLines draws a line for each kernel, or returns "" if no cell has a time. Lines beyond the
// six inks are dashed.
func kernelLines(panel []advice.Cell, id, title string) template.HTML {
	var names []string
	var xs, ys []float64
	var series []chart.Series
	byKernel := advice.GroupBy(panel, func(c advice.Cell) string { return c.Name.Get("kernel") })
	place := func(kernel string) int { return slices.Index(kernelOrder, kernel) }
	slices.SortStableFunc(byKernel, func(a, b []advice.Cell) int {
		return cmp.Compare(place(a[0].Name.Get("kernel")), place(b[0].Name.Get("kernel")))
	})
	for _, cells := range byKernel {
		kernel := cells[0].Name.Get("kernel")
		ink := max(0, place(kernel))
		line := chart.Series{Name: kernel, Ink: chart.SeriesInk(ink), Dashed: ink >= 6}
		for _, c := range cells {
			x, counted := c.Number("nnz")
			if y, ok := c.Value(terms.NanosecondsPerFeature); counted && ok && chart.OnLog(x) && chart.OnLog(y) {
				line.Points = append(line.Points, chart.Point{X: x, Y: y})
				xs, ys = append(xs, x), append(ys, y)
			}
		}
		if len(line.Points) > 0 {
			slices.SortStableFunc(line.Points, func(a, b chart.Point) int { return cmp.Compare(a.X, b.X) })
			names, series = append(names, kernel), append(series, line)
		}
	}
	if len(series) == 0 {
		return ""
	}
	const x, y = "features of a vector", "ns per feature"
	return chart.Lines{
		Frame: chart.Frame{ID: id, Title: title, Description: fmt.Sprintf("Lines for %s over %s to %s %s; from %s to %s %s.", strings.Join(names, ", "),
			chart.Short(slices.Min(xs)), chart.Short(slices.Max(xs)), x, number(slices.Min(ys)), number(slices.Max(ys)), y)},
		X: chart.LogRange(x, xs...), Y: chart.LogRange(y, ys...), Series: series,
	}.SVG(medium)
}

// unusual reports whether a name has more keys than the names of all standard benchmarks of its
// kind.
func unusual(c advice.Cell) bool {
	return slices.ContainsFunc(c.Name.Keys, func(k benchname.Key) bool {
		return !slices.Contains([]string{"hash", "weights", "f", "kernel", "nnz"}, k.Key)
	})
}

// largest returns the largest group of cells that differ only in the kernel and the number of
// features, and are from one run. Of equally large groups, it returns the later one. It ignores
// groups with a single number of features, which make no line.
func largest(cells []advice.Cell) (most []advice.Cell) {
	key := func(c advice.Cell) string {
		return fmt.Sprint(c.Source, " ", c.Name.With("kernel", "*").With("nnz", "*"))
	}
	for _, same := range advice.GroupBy(cells, key) {
		several := slices.ContainsFunc(same, func(c advice.Cell) bool { return c.Name.Get("nnz") != same[0].Name.Get("nnz") })
		if several && len(same) >= len(most) {
			most = same
		}
	}
	return most
}
