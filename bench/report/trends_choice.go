package report

import (
	"cmp"
	"math"
	"slices"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/gobench/store"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
)

// chosen returns the courses to show, of at least two points, and how many there are to choose
// from.
//
// With Run they are those that match, as many as fit on a page. Without it they are a dozen of the
// main units: up to half of them those whose newest figure is out of line with the one before, the
// farthest first, and the others in turn of each kind of benchmark, with the kernel and the hash
// of the defaults.
func (h *Trends) chosen() (chosen []store.Course, of int) {
	var all []store.Course
	for _, c := range h.Courses {
		if h.Run != nil && !h.Run.MatchString(c.Name+" "+c.Unit) || h.Run == nil && !c.Main {
			continue
		}
		c.Points = slices.DeleteFunc(slices.Clone(c.Points), func(p store.Point) bool { return !advice.Plausible(p.Figure) })
		if len(c.Points) >= 2 {
			all = append(all, c)
		}
	}
	if h.Run != nil {
		return all[:min(len(all), mostTrends)], len(all)
	}
	chosen = moved(all)
	chosen = chosen[:min(len(chosen), defaultTrends/2)]
	for _, c := range inTurn(all) {
		if len(chosen) == defaultTrends {
			break
		}
		if !slices.ContainsFunc(chosen, func(o store.Course) bool { return o.Name == c.Name }) {
			chosen = append(chosen, c)
		}
	}
	return chosen, len(all)
}

// leastMove is how far a figure with noise must be from the one before to be out of line, beside
// that their intervals are apart.
const leastMove = 0.03

// moved returns the courses whose newest figure is out of line with the one before, the farthest
// first.
func moved(courses []store.Course) []store.Course {
	far := func(c store.Course) float64 {
		last, before := c.Points[len(c.Points)-1], c.Points[len(c.Points)-2]
		return math.Abs(relative(before.Median, last.Median))
	}
	list := slices.DeleteFunc(slices.Clone(courses), func(c store.Course) bool {
		last, before := c.Points[len(c.Points)-1], c.Points[len(c.Points)-2]
		return last.Median == before.Median || !c.Exact && (overlap(last.Figure, before.Figure) || far(c) < leastMove)
	})
	slices.SortStableFunc(list, func(a, b store.Course) int { return cmp.Compare(far(b), far(a)) })
	return list
}

// overlap reports whether the intervals of two figures have a value in common, so that the order of
// the two is not known. Without intervals only equal figures do: trends show single samples too.
func overlap(f, g resultfile.Figure) bool {
	if !advice.Bounded(f) || !advice.Bounded(g) {
		return f.Median == g.Median
	}
	return f.Lo <= g.Hi && g.Lo <= f.Hi
}

// relative returns by how much b is more than a, infinite where a is zero and b is not.
func relative(a, b float64) float64 {
	if a == b {
		return 0
	}
	return (b - a) / math.Abs(a)
}

// inTurn orders courses such that each kind of benchmark comes before any comes again, of each kind
// the usual cases first.
func inTurn(courses []store.Course) []store.Course {
	kinds := advice.GroupBy(courses, func(c store.Course) string { return nameOf(c).Base })
	most := 0
	for _, same := range kinds {
		slices.SortStableFunc(same, func(a, b store.Course) int { return cmp.Compare(unusualness(nameOf(a)), unusualness(nameOf(b))) })
		most = max(most, len(same))
	}
	var list []store.Course
	for n := range most {
		for _, same := range kinds {
			if n < len(same) {
				list = append(list, same[n])
			}
		}
	}
	return list
}

// nameOf takes the name of a course apart; one of somebody else's may have no keys.
func nameOf(c store.Course) benchname.Name {
	name, err := benchname.Parse(c.Name)
	if err != nil {
		return benchname.Name{Base: c.Name}
	}
	return name
}

// usual is what programs use by default.
var usual = map[string]string{"hash": fphash.DefaultHash, "encoding": terms.LE64, "weights": "f32", "f": "64", "nnz": "100"}

// unusualness counts what in a name is not usual, and how many kernels are better.
func unusualness(name benchname.Name) int {
	n := 0
	for key, value := range usual {
		if v := name.Get(key); v != "" && v != value {
			n += len(kernelOrder)
		}
	}
	if kernel := name.Get("kernel"); kernel != "" {
		n += len(kernelOrder) - 1 - slices.Index(kernelOrder, kernel)
	}
	return n
}
