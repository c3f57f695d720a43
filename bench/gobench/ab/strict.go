package ab

import (
	"math"

	"simhashkit/bench/gobench/compare"
)

// strict reports whether the comparison is of counts of allocations that have not varied on either
// side, in as many samples as package compare wants of constants. These have no noise that a test
// could allow for: if they differ, then the programs do, in however few rounds. Times that do not
// vary are no such thing, since a clock of few digits makes them so.
func (h *hypothesis) strict() bool {
	return compare.CountsAllocations(h.Unit) && h.level && h.samples >= compare.MinSamples
}

// strictly is the effect of such counts, which takes nothing of alpha: they differ, or they do not.
func (h *hypothesis) strictly() compare.Effect {
	old, new := h.Old[0], h.New[0]
	if old == new {
		return compare.Effect{P: 1}
	}
	change := (new - old) / math.Abs(old) // infinite if old is 0
	return compare.Effect{Change: change, Lo: change, Hi: change}
}
