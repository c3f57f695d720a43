package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
)

// ink is a colour, named by its role. The style of the page sets the CSS variable of this name.
type ink string

const (
	inkMuted     ink = "muted"
	inkGood      ink = "good" // a change for the better
	inkUndecided ink = "undecided"
	inkWeak      ink = "weak" // a change for the worse
)

// axis is the horizontal axis of a picture.
type axis struct {
	log      bool // then min is above zero
	min, max float64
}

// onLog reports whether a value is positive and finite, so that a logarithmic axis can show it.
func onLog(v float64) bool { return v > 1e-100 && v < 1e100 }

// logAxis returns a logarithmic axis for those values that it can show.
func logAxis(values ...float64) axis {
	const spare = 1.25
	values = append(slices.DeleteFunc(values, func(v float64) bool { return !onLog(v) }), 1)
	return axis{log: true, min: slices.Min(values) / spare, max: slices.Max(values) * spare}
}

// axisAround returns an axis that extends equally to both sides of zero: as far as nine in ten of
// the intervals, and twice every band. If it showed a single large change completely, there would
// be no room to see the others.
func axisAround(list []interval) axis {
	var reach []float64
	least := 0.0
	for _, r := range list {
		least = max(least, 2*r.band)
		if v := math.Abs(r.value); !math.IsInf(v, 0) {
			reach = append(reach, max(v, min(2*v, max(math.Abs(r.low), math.Abs(r.high)))))
		}
	}
	slices.Sort(reach)
	if n := len(reach); n > 0 {
		least = max(least, reach[n-1-n/10])
	}
	if least < 1e-300 { // the axis must have a length
		least = 1
	}
	end := 1.05 * min(least, math.MaxFloat64/8)
	return axis{min: -end, max: end}
}

// place returns the position of a value in a picture. A value beyond the axis is put at its end.
func (a axis) place(v, from, to float64) float64 {
	low, high := a.min, a.max
	v = min(max(v, low), high)
	if a.log {
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	// The values are halved, since the span may overflow.
	return from + (v/2-low/2)/(high/2-low/2)*(to-from)
}

// interval is an estimate with its interval. All values may be infinite.
type interval struct {
	value, low, high float64
	band             float64 // changes within ± this do not matter
	ink              ink
}

// svg draws the interval for a cell of a table, which has the same figures in text, with a line at
// origin. An arrow shows that the interval extends beyond the axis.
func (r interval) svg(x axis, origin float64) template.HTML {
	const wide, high = 140, 18
	at := func(v float64) float64 { return math.Round(100*x.place(v, 2, wide-2)) / 100 }
	line := func(ink ink, width int) string {
		return fmt.Sprintf("fill:none;stroke:var(--%s);stroke-width:%d", ink, width)
	}
	fill := fmt.Sprintf("fill:var(--%s)", r.ink)
	var svg strings.Builder
	fmt.Fprintf(&svg, `<svg class="interval" aria-hidden="true" viewBox="0 0 %d %d">`, wide, high)
	if r.band > 0 {
		from, to := at(-r.band), at(r.band)
		fmt.Fprintf(&svg, `<path d="M%v,17L%v,17L%v,1L%v,1Z" style="fill:var(--muted);fill-opacity:.25"/>`+"\n", from, to, to, from)
	}
	fmt.Fprintf(&svg, `<path d="M%v,18L%v,0" style="%s"/>`+"\n", at(origin), at(origin), line(inkMuted, 1))
	fmt.Fprintf(&svg, `<path d="M%v,9L%v,9" style="%s"/>`+"\n", at(r.low), at(r.high), line(r.ink, 2))
	for _, end := range []struct {
		beyond    bool
		tip, back float64
	}{{r.low < x.min, at(x.min), at(x.min) + 7}, {r.high > x.max, at(x.max), at(x.max) - 7}} {
		if end.beyond {
			fmt.Fprintf(&svg, `<path d="M%v,9L%v,4L%v,14Z" style="%s"/>`+"\n", end.tip, end.back, end.back, fill)
		}
	}
	if r.value >= x.min && r.value <= x.max {
		fmt.Fprintf(&svg, `<circle cx="%v" cy="9" r="4" style="%s"/>`+"\n", at(r.value), fill)
	}
	return template.HTML(svg.String() + "</svg>")
}
