package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/report/chart"
	"simhashkit/internal/bench/report/page"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/english"
)

// medium is the size of pictures side by side.
var medium = chart.Size{Width: 440, Height: 330}

func (r *report) speedAndQuality() page.Section {
	s := page.Section{ID: "speed", Short: "Speed and quality", Title: "Speed against effective bits"}
	if len(r.advice.Choices) == 0 {
		s.Blocks = append(s.Blocks, missing("the quality of hashes", commandQuality))
		return s
	}
	s.Blocks = append(s.Blocks, page.Block{Paragraph: "Effective bits are the number of bits of an ideal hash that would estimate angles with the same mean squared error. " +
		"Each line is a hash in its worst case, which is a pattern of indices with a kind of weights. It shows the smaller of two figures: over all angles, and at cosine 0.9 and above, where near-duplicates are."})
	if !r.advice.Times.Any() {
		s.Blocks = append(s.Blocks, missing("the time of hashes", commandQuality))
	}
	s.Blocks = append(s.Blocks, r.choices())
	return s
}

// timeAxis returns a logarithmic axis for those times that it can show.
func timeAxis(times ...float64) chart.Axis {
	times = slices.DeleteFunc(times, func(v float64) bool { return !chart.OnLog(v) })
	return chart.LogRange("", append(times, 1)...)
}

// drawnTime draws a time with its interval.
func drawnTime(axis chart.Axis, median, low, high float64, ink chart.Ink) template.HTML {
	if !chart.OnLog(median) {
		return none
	}
	return chart.Interval{Value: median, Low: low, High: high, Ink: ink}.SVG(axis, axis.Min)
}

// drawnBits draws effective bits with their interval, on an axis with a line at an ideal hash.
func drawnBits(f *resultfile.Figure, ideal float64, ink chart.Ink) template.HTML {
	if f == nil {
		return none
	}
	i := chart.Interval{Value: f.Median, Low: f.Median, High: f.Median, Ink: ink}
	if advice.Bounded(*f) {
		i.Low, i.High = f.Lo, f.Hi
	}
	return i.SVG(chart.Axis{Max: 1.3 * ideal}, ideal)
}

// choices returns the table of the hashes, the best ones first.
func (r *report) choices() page.Block {
	m := r.advice
	what := "no times"
	if m.Times.Any() {
		what = "time of the fastest kernel: " + m.Times.Of
	}
	t := &page.Table{
		Caption: page.Words("%d bits, %s; %s. The pictures show 95%% intervals: times on a logarithmic axis, and effective bits with a line at an ideal hash.", r.advice.Bits, english.Count(r.advice.Cases, "case"), what),
		Columns: []page.Column{{Title: "hash"}, {Title: "encoding"}, {Title: "ns per feature", Class: "number"}, {Title: "time", Class: "drawn"},
			{Title: "effective bits", Class: "number"}, {Title: "95% interval", Class: "number"}, {Title: "bits", Class: "drawn"}, {Title: "worst case"}, {Title: "verdict"}},
	}
	list := m.Times.Sorted(m.Choices)
	var times []float64
	for _, c := range list {
		if time, ok := m.Times.Get(c); ok {
			times = append(times, time.Median)
		}
	}
	axis := timeAxis(times...)
	for _, c := range list {
		verdict := c.Verdict().String()
		ink := map[string]chart.Ink{"good": chart.Good, "weak": chart.Weak, "undecided": chart.Series5}[verdict]
		cost, costDrawn := none, none
		if time, ok := m.Times.Get(c); ok {
			cost = page.Words("%s ± %s", number(time.Median), time.PlusMinus())
			low, high := time.Median, time.Median
			if advice.Bounded(time.Figure) {
				low, high = time.Lo, time.Hi
			}
			costDrawn = drawnTime(axis, time.Median, low, high, ink)
		}
		worst, bits, within95, bitsDrawn := "–", none, none, none
		if k, ok := c.Fewest(); ok {
			f, near := k.Worse()
			worst, bits, within95, bitsDrawn = k.Row.Name.Get("pattern")+", "+k.Row.Name.Get("weights"), template.HTML(number(f.Median)), interval(f), drawnBits(f, float64(r.advice.Bits), ink)
			if data := k.Row.Name.Get("data"); data != "" {
				worst += ", " + data
			}
			if near {
				worst += " at cosine ≥ 0.9"
			}
		}
		words := page.Words(`<span class="%s">%s</span>`, verdict, verdict)
		if c == m.Best {
			words += ", recommended"
		}
		t.Add(page.Words("<strong>%s</strong>", c.Hash), page.Words("%s", c.Encoding), cost, costDrawn, bits, within95, bitsDrawn, page.Words("%s", worst), words)
	}
	return page.Block{Table: t}
}

// kernels shows the time per feature by the number of features, for every kernel.
func (r *report) kernels() page.Section {
	s := page.Section{ID: "kernels", Short: "Kernels", Title: "Time per feature, by kernel and number of features"}
	if figures := r.kernelFigures(); len(figures) > 0 {
		s.Blocks = append(s.Blocks, page.Block{Paragraph: "Both axes are logarithmic, so a falling straight line is a fixed cost per vector, divided by the number of features. All lines of a picture are from one run. " +
			"<code>naive</code> is the loop that most programs use. The other kernels depend on the processor."}, page.Block{Figures: figures})
	}
	if len(s.Blocks) == 0 {
		s.Blocks = append(s.Blocks, missing("kernels at several numbers of features", commandKernels))
	}
	return s
}

// kernelOrder gives each kernel the same colour in all pictures.
var kernelOrder = []string{terms.Naive, "generic", "avx2", "avx512", "avx512gfni", "neon"}

func (r *report) kernelFigures() (figures []page.Figure) {
	for _, kind := range []struct{ keys, words string }{
		{"Accumulate/weights=%s/f=64", "%s weights: adding and signs, f = 64"}, {"Sketch/hash=xxh64/weights=%s/f=64", "%s weights: whole sketch with xxh64, f = 64"},
	} {
		for _, weights := range []string{"unit", "f32"} {
			what, panel := fmt.Sprintf(kind.words, weights), r.panel(fmt.Sprintf(kind.keys, weights))
			if len(panel) == 0 {
				continue
			}
			caption := page.Words("<strong>%s</strong>", what)
			if len(r.set.Sources) > 1 {
				caption += page.Words(` From <a href="#file-%d">file %d</a>.`, panel[0].Source+1, panel[0].Source+1)
			}
			id := fmt.Sprintf("kernels-%d", len(figures)+1)
			if picture := kernelLines(panel, id, "Time per feature, "+what); picture != "" {
				figures = append(figures, page.Figure{Picture: picture, Caption: caption})
			}
		}
	}
	return figures
}

// panel returns the cells of one run that have these keys, a kernel and a number of features, of
// the last run that has the most of them. A single number of features makes no line.
func (r *report) panel(keys string) (most []advice.Cell) {
	base, _, _ := strings.Cut(keys, "/")
	for _, run := range r.set.Runs(base) {
		same := slices.DeleteFunc(slices.Clone(run), func(c advice.Cell) bool {
			return c.Name.With("kernel", "*").With("nnz", "*").String() != keys+"/kernel=*/nnz=*"
		})
		several := slices.ContainsFunc(same, func(c advice.Cell) bool { return c.Name.Get("nnz") != same[0].Name.Get("nnz") })
		if several && len(same) >= len(most) {
			most = same
		}
	}
	return most
}

// kernelLines draws a line for each kernel, or returns "" if no cell has a time.
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
		line := chart.Series{Name: kernel, Ink: chart.SeriesInk(max(0, place(kernel)))}
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
