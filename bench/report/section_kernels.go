package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/page"
	"simhashkit/bench/terms"
)

// kernels shows the time per feature by the number of features, for every kernel.
func (r *report) kernels() page.Section {
	s := r.byMachine(page.Section{ID: "kernels", Short: "Kernels", Title: "Time per feature, by kernel and number of features"},
		"Both axes are logarithmic, so a straight line downwards is a cost per vector that more features share. All lines of a picture are from one run. "+
			"<code>naive</code> is the loop that everyone copies; the others are chosen by what the processor can do.", r.kernelsOn)
	if len(s.Blocks) == 0 {
		s.Blocks = append(s.Blocks, missing("kernels at several numbers of features", commandKernels))
	}
	return s
}

func (r *report) kernelsOn(m advice.Machine, machine int) []page.Block {
	var panels []kernelPanel
	for _, base := range []string{terms.Accumulate, terms.Sketch} {
		for _, weights := range []string{"unit", "f32"} {
			var largest kernelPanel
			for _, run := range m.Runs(base) {
				if p := largestPanel(run, weights); len(p) > len(largest) {
					largest = p
				}
			}
			if len(largest) > 0 {
				panels = append(panels, largest)
			}
		}
	}
	if len(panels) == 0 {
		return nil
	}
	pictures := &page.Pictures{Layout: page.Pairs}
	for n, p := range panels {
		pictures.Figures = append(pictures.Figures, page.Figure{Picture: p.draw(fmt.Sprintf("kernels-%d-%d", machine, n+1)), Caption: p.caption(r)})
	}
	return []page.Block{{Pictures: pictures}}
}

// kernelPanel is one picture: the same work by different kernels, in one run, sorted by the number
// of features.
type kernelPanel []advice.Cell

// largestPanel returns the cells of a run with the same hash and width of which there are most.
// There is no line in a single number of features.
func largestPanel(run []advice.Cell, weights string) kernelPanel {
	usable := slices.DeleteFunc(slices.Clone(run), func(c advice.Cell) bool {
		f, ok := c.Get(terms.NanosecondsPerFeature)
		nnz, counted := c.Number("nnz")
		return !ok || !chart.OnLog(f.Median) || !counted || !chart.OnLog(nnz) || c.Name.Get("weights") != weights || unusual(c)
	})
	var best kernelPanel
	for _, p := range advice.GroupBy(usable, func(c advice.Cell) string { return c.Name.With("kernel", "*").With("nnz", "*").String() }) {
		slices.SortStableFunc(p, advice.ByNumber("nnz"))
		if len(p) > len(best) && p[0].Name.Get("nnz") != p[len(p)-1].Name.Get("nnz") {
			best = p
		}
	}
	return best
}

// unusual reports whether a name has more keys than every benchmark of its kind.
func unusual(c advice.Cell) bool {
	return slices.ContainsFunc(c.Name.Keys, func(k benchname.Key) bool {
		return !slices.Contains([]string{"hash", "weights", "f", "kernel", "nnz"}, k.Key)
	})
}

// kernels lists the kernels, the slowest first as in most runs.
func (p kernelPanel) kernels() []string {
	var list []string
	for _, c := range p {
		if k := c.Name.Get("kernel"); !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(slices.Index(kernelOrder, a), slices.Index(kernelOrder, b)), cmp.Compare(a, b))
	})
	return list
}

// kernelOrder gives each kernel the same colour in all pictures.
var kernelOrder = []string{terms.Naive, terms.Library, "generic", "avx2", "avx512", "avx512gfni", "neon"}

// what says what is measured.
func (p kernelPanel) what() string {
	name := p[0].Name
	if name.Base == terms.Accumulate {
		return "adding and signs, f = " + name.Get("f")
	}
	return "whole sketch with " + name.Get("hash") + ", f = " + name.Get("f")
}

func (p kernelPanel) weights() string { return p[0].Name.Get("weights") }

func (p kernelPanel) caption(r *report) template.HTML {
	words := page.Words("<strong>%s weights: %s</strong>", p.weights(), p.what())
	if len(r.set.Sources) > 1 {
		source := p[0].Source
		words += page.Words(` From <a href="#file-%d">file %d</a>.`, source+1, source+1)
	}
	return words
}

func (p kernelPanel) draw(id string) template.HTML {
	var series []chart.Series
	var sizes, costs []float64
	for _, kernel := range p.kernels() {
		line := chart.Series{Name: kernel, Ink: chart.SeriesInk(max(0, slices.Index(kernelOrder, kernel)))}
		for _, c := range p {
			if c.Name.Get("kernel") == kernel {
				nnz, _ := c.Number("nnz")
				v, _ := c.Value(terms.NanosecondsPerFeature)
				line.Points = append(line.Points, chart.Point{X: nnz, Y: v})
				sizes, costs = append(sizes, nnz), append(costs, v)
			}
		}
		series = append(series, line)
	}
	return chart.Lines{
		Frame: chart.Frame{
			ID: id, Title: "Time per feature, " + p.weights() + " weights: " + p.what(),
			Description: fmt.Sprintf("Lines for %s over %s to %s features; from %s down to %s ns per feature.", strings.Join(p.kernels(), ", "),
				number(slices.Min(sizes)), number(slices.Max(sizes)), number(slices.Max(costs)), number(slices.Min(costs))),
		},
		X:      chart.LogRange("features of a vector", sizes...),
		Y:      chart.LogRange("ns per feature", costs...),
		Series: series,
	}.SVG(medium)
}
