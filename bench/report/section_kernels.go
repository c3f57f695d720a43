package report

import (
	"cmp"
	"fmt"
	"slices"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/benchname"
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

// kernelOrder gives each kernel the same colour in all pictures.
var kernelOrder = []string{terms.Naive, terms.Library, "generic", "avx2", "avx512", "avx512gfni", "neon"}

func (r *report) kernelsOn(m advice.Machine, machine int) []page.Block {
	pictures := &page.Pictures{Layout: page.Pairs}
	for _, base := range []string{terms.Accumulate, terms.Sketch} {
		for _, weights := range []string{"unit", "f32"} {
			usable := with(slices.Concat(m.Runs(base)...), func(c advice.Cell) bool { return c.Name.Get("weights") == weights && !unusual(c) })
			panel := largest(usable, "nnz", func(c advice.Cell) string { return c.Name.With("kernel", "*").With("nnz", "*").String() })
			if len(panel) == 0 {
				continue
			}
			name := panel[0].Name
			what := weights + " weights: whole sketch with " + name.Get("hash") + ", f = " + name.Get("f")
			if base == terms.Accumulate {
				what = weights + " weights: adding and signs, f = " + name.Get("f")
			}
			l := lines{title: "Time per feature, " + what, x: "features of a vector", y: "ns per feature", number: "nnz", scale: 1}
			byKernel := advice.GroupBy(panel, func(c advice.Cell) string { return c.Name.Get("kernel") })
			place := func(kernel string) int { return slices.Index(kernelOrder, kernel) }
			slices.SortStableFunc(byKernel, func(a, b []advice.Cell) int {
				return cmp.Compare(place(a[0].Name.Get("kernel")), place(b[0].Name.Get("kernel")))
			})
			for _, cells := range byKernel {
				kernel := cells[0].Name.Get("kernel")
				l.add(kernel, max(0, place(kernel)), terms.NanosecondsPerFeature, cells)
			}
			caption := page.Words("<strong>%s</strong>", what)
			if len(r.set.Sources) > 1 {
				caption += page.Words(` From <a href="#file-%d">file %d</a>.`, panel[0].Source+1, panel[0].Source+1)
			}
			pictures.Figures = append(pictures.Figures, l.figures(fmt.Sprintf("kernels-%d-%d", machine, len(pictures.Figures)+1), caption)...)
		}
	}
	if len(pictures.Figures) == 0 {
		return nil
	}
	return []page.Block{{Pictures: pictures}}
}

// unusual reports whether a name has more keys than every benchmark of its kind.
func unusual(c advice.Cell) bool {
	return slices.ContainsFunc(c.Name.Keys, func(k benchname.Key) bool {
		return !slices.Contains([]string{"hash", "weights", "f", "kernel", "nnz"}, k.Key)
	})
}
