package chart

import (
	"math"
	"slices"
)

// Positions are in the pixels of the picture, y upwards.

// box is a rectangle.
type box struct{ left, bottom, right, top float64 }

func (b box) overlaps(o box) bool {
	return b.left < o.right && o.left < b.right && b.bottom < o.top && o.bottom < b.top
}

func (b box) inside(o box) bool {
	return b.left >= o.left && b.right <= o.right && b.bottom >= o.bottom && b.top <= o.top
}

func (b box) grown(by float64) box { return box{b.left - by, b.bottom - by, b.right + by, b.top + by} }

// crossedBy reports whether the line from (x0, y0) to (x1, y1) meets the box: the part of it that
// lies within all four sides is not empty.
func (b box) crossedBy(x0, y0, x1, y1 float64) bool {
	from, to := 0.0, 1.0
	for _, side := range [4]struct{ direction, distance float64 }{
		{x0 - x1, x0 - b.left}, {x1 - x0, b.right - x0}, {y0 - y1, y0 - b.bottom}, {y1 - y0, b.top - y0},
	} {
		switch t := side.distance / side.direction; {
		case side.direction == 0 && side.distance < 0:
			return false
		case side.direction < 0:
			from = max(from, t)
		case side.direction > 0:
			to = min(to, t)
		}
	}
	return from <= to
}

// wanted is a label that is to stand near a point.
type wanted struct {
	x, y          float64
	width, height float64
}

// placed is where a label stands.
type placed struct {
	box
	// A line leads from the point to the label where it is far.
	leader bool
	x, y   float64 // the leader's end at the label
}

// placer finds room for labels near their points, one after the other: those that come first have
// the best choice.
type placer struct {
	bounds    box
	obstacles []box
	taken     []box
	leaders   []line
}

type line struct{ x0, y0, x1, y1 float64 }

// place returns the nearest place where the label covers no other label, no obstacle and no leader,
// and where its own leader crosses no label; false if there is none.
func (s *placer) place(l wanted) (placed, bool) {
	for _, p := range candidates(l) {
		if !s.free(l, p) {
			continue
		}
		s.taken = append(s.taken, p.box)
		if p.leader {
			s.leaders = append(s.leaders, line{l.x, l.y, p.x, p.y})
		}
		return p, true
	}
	return placed{}, false
}

func (s *placer) free(l wanted, p placed) bool {
	if !p.inside(s.bounds) || slices.ContainsFunc(s.obstacles, p.overlaps) {
		return false
	}
	for _, t := range s.taken {
		if p.overlaps(t.grown(2)) || p.leader && t.crossedBy(l.x, l.y, p.x, p.y) {
			return false
		}
	}
	return !slices.ContainsFunc(s.leaders, func(line line) bool { return p.grown(1).crossedBy(line.x0, line.y0, line.x1, line.y1) })
}

// candidates returns the places for a label, the best first: close by on the right, above, below
// and on the left, then on wider and wider rings.
func candidates(l wanted) []placed {
	var list []placed
	const nearest, farthest, step = 7.0, 150.0, 7.0
	for distance := nearest; distance <= farthest; distance += step {
		// Steep directions, which keep a label above or below its point, come before level ones,
		// but close by a label reads best at the right.
		directions := []float64{90, -90, 60, -60, 120, -120, 35, -35, 145, -145, 0, 180}
		if distance == nearest {
			directions = []float64{0, 90, -90, 180, 45, -45, 135, -135}
		}
		for _, degrees := range directions {
			sin, cos := math.Sincos(degrees * math.Pi / 180)
			// The point nearest to the anchor is at that distance from it: the label hangs
			// outwards.
			x, y := l.x+distance*cos, l.y+distance*sin
			left := x - l.width/2 + l.width/2*round(cos)
			bottom := y - l.height/2 + l.height/2*round(sin)
			p := placed{box: box{left, bottom, left + l.width, bottom + l.height}, leader: distance > 2*step}
			p.x = min(max(l.x, p.left+2), p.right-2)
			p.y = min(max(l.y, p.bottom), p.top)
			list = append(list, p)
		}
	}
	return list
}

// round returns -1, 0 or 1: whether a direction is more to one side than to none.
func round(v float64) float64 {
	if math.Abs(v) < 0.4 {
		return 0
	}
	return math.Copysign(1, v)
}

// spread moves positions apart, so that neighbours have at least the gap between them and all lie
// within low and high, each as near to where it wants to be as that allows in one sweep up and one
// down. The positions are in ascending order, and so is the result. They must fit: (len-1)·gap ≤
// high-low.
func spread(at []float64, gap, low, high float64) []float64 {
	result := make([]float64, len(at))
	floor := low
	for i, v := range at {
		result[i] = max(v, floor)
		floor = result[i] + gap
	}
	ceiling := high
	for i := len(result) - 1; i >= 0; i-- {
		result[i] = min(result[i], ceiling)
		ceiling = result[i] - gap
	}
	return result
}
