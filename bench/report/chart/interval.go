package chart

import (
	"fmt"
	"html/template"
	"math"
	"slices"
)

// Interval is an estimate with its interval around zero, on the band of what does not matter. Any
// of its figures may be infinite.
type Interval struct {
	Value, Low, High float64
	Band             float64 // what is within ± this does not matter
	Ink              Ink
}

// Reach returns how far an axis must go to both sides of zero for the intervals: as far as nine in
// ten of the estimates and of the bounds near them, and twice every band. A single large change
// would leave no room to see the others.
func Reach(list []Interval) float64 {
	var reach []float64
	least := 0.0
	for _, r := range list {
		least = max(least, 2*r.Band)
		if v := math.Abs(r.Value); !math.IsInf(v, 0) {
			reach = append(reach, max(v, min(2*v, max(math.Abs(r.Low), math.Abs(r.High)))))
		}
	}
	slices.Sort(reach)
	if n := len(reach); n > 0 {
		least = max(least, reach[n-1-n/10])
	}
	if least < leastTop {
		least = 1
	}
	return 1.05 * min(least, math.MaxFloat64/8)
}

// SVG draws the interval for a cell of a table, which says the same in figures, on an axis that
// goes as far as reach to both sides of zero. An arrow shows that the interval goes on beyond it.
func (r Interval) SVG(reach float64) template.HTML {
	const wide, high = 140, 18
	c := &canvas{Size: Size{wide, high}}
	x := Axis{Min: -reach, Max: reach}
	at := func(v float64) float64 { return x.place(v, 2, wide-2) }
	if r.Band > 0 {
		from, to := at(-r.Band), at(r.Band)
		c.area(Within, Point{from, 1}, Point{to, 1}, Point{to, high - 1}, Point{from, high - 1})
	}
	c.line(Muted, 1, "", Point{at(0), 0}, Point{at(0), high})
	const middle = high / 2
	c.line(r.Ink, 2, "", Point{at(r.Low), middle}, Point{at(r.High), middle})
	for _, end := range []struct {
		beyond        bool
		at, direction float64
	}{{r.Low < x.Min, x.Min, -1}, {r.High > x.Max, x.Max, +1}} {
		if end.beyond {
			tip := at(end.at)
			c.area(r.Ink, Point{tip, middle}, Point{tip - 7*end.direction, middle + 5}, Point{tip - 7*end.direction, middle - 5})
		}
	}
	if r.Value >= x.Min && r.Value <= x.Max {
		c.mark(circle, r.Ink, 4, Point{at(r.Value), middle})
	}
	return template.HTML(fmt.Sprintf(`<svg class="interval" aria-hidden="true" viewBox="0 0 %d %d">`, wide, high) + c.svg.String() + "</svg>")
}
