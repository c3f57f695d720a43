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

// around is the box of a segment that is level or upright.
func around(a, b Point) box {
	return box{min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X), max(a.Y, b.Y)}
}

// placer finds room for labels near their points, one after the other: those that come first have
// the best choice.
type placer struct {
	bounds box
	taken  []box // by marks, lines and labels
}

// place returns the nearest place for a label of that size near a point where it covers nothing;
// false if there is none.
func (s *placer) place(at Point, wide, high float64) (box, bool) {
	const labelGap = 4
	for _, b := range candidates(at, wide, high) {
		if b.inside(s.bounds) && !slices.ContainsFunc(s.taken, b.overlaps) {
			s.taken = append(s.taken, b.grown(labelGap))
			return b, true
		}
	}
	return box{}, false
}

// candidates returns the places for a label, the best first: on the right, above, below and on the
// left, then between these, then farther away.
func candidates(at Point, wide, high float64) (list []box) {
	for _, distance := range []float64{8, 16, 24} {
		for _, degrees := range []float64{0, 90, -90, 180, 45, -45, 135, -135} {
			sin, cos := math.Sincos(degrees * math.Pi / 180)
			// The label hangs outwards: its nearest point is at that distance.
			left := at.X + distance*cos + wide/2*(math.Round(cos)-1)
			bottom := at.Y + distance*sin + high/2*(math.Round(sin)-1)
			list = append(list, box{left, bottom, left + wide, bottom + high})
		}
	}
	return list
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
