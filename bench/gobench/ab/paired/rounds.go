package paired

import (
	"cmp"
	"math"
	"slices"
)

// rounds is figures that were taken in pairs, such that differences of them mean relative changes.
type rounds struct {
	old, new     []side
	relative     func(difference float64) float64
	same         bool // all rounds differ by the same, which is
	sameDistance float64
}

// side is a figure of one side, and the number of its round. They are in ascending order.
type side struct {
	figure float64
	round  int
}

// newRounds takes logarithms if all figures are positive, else the figures themselves: changes are
// relative to the median of old then. There is at least one round.
func newRounds(old, new []float64) rounds {
	var r rounds
	var scale func(float64) float64
	if min(slices.Min(old), slices.Min(new)) > 0 {
		scale, r.relative = math.Log, math.Expm1
	} else {
		// Over the largest, for differences of large figures would overflow.
		largest := max(slices.Max(old), -slices.Min(old), slices.Max(new), -slices.Min(new), math.SmallestNonzeroFloat64)
		scale = func(v float64) float64 { return v / largest }
		r.relative = func(difference float64) float64 {
			if difference == 0 {
				return 0 // and not 0/0
			}
			return difference / math.Abs(r.old[len(r.old)/2].figure)
		}
	}
	r.same = true
	for i := range old {
		a, b := scale(old[i]), scale(new[i])
		if i == 0 {
			r.sameDistance = b - a
		}
		r.same = r.same && b-a == r.sameDistance
		r.old, r.new = append(r.old, side{a, i}), append(r.new, side{b, i})
	}
	for _, s := range [][]side{r.old, r.new} {
		slices.SortFunc(s, func(a, b side) int { return cmp.Compare(a.figure, b.figure) })
	}
	return r
}

// difference returns one of the differences of all new figures from all old ones: the one with that
// number in ascending order, from 0. It finds it by halving the floating-point numbers between the
// smallest and the largest, each step in time proportional to the number of rounds.
func (r rounds) difference(number int) float64 {
	n := len(r.old)
	low, high := key(r.new[0].figure-r.old[n-1].figure), key(r.new[n-1].figure-r.old[0].figure)
	for low < high {
		middle := low + (high-low)/2
		if r.differencesUpTo(fromKey(middle)) > number {
			high = middle
		} else {
			low = middle + 1
		}
	}
	if d := fromKey(low); d != 0 {
		return d
	}
	return 0 // and not -0, whose key is less and which is as much
}

// differencesUpTo counts the differences that are at most x.
func (r rounds) differencesUpTo(x float64) int {
	count, j := 0, 0
	for _, a := range r.old {
		for j < len(r.new) && r.new[j].figure-a.figure <= x {
			j++
		}
		count += j
	}
	return count
}

// key numbers floating-point numbers in ascending order.
func key(x float64) uint64 {
	bits := math.Float64bits(x)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

func fromKey(k uint64) float64 {
	if k>>63 == 1 {
		return math.Float64frombits(k &^ (1 << 63))
	}
	return math.Float64frombits(^k)
}
