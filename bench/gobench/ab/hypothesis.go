package ab

import (
	"simhashkit/bench/gobench/ab/paired"
	"simhashkit/bench/gobench/compare"
)

// Comparison is what the rounds say of a benchmark in a statistical unit.
type Comparison struct {
	Benchmark string
	Unit      string         // tidied: sec/op for ns/op
	Old, New  []float64      // the figure of each round's run: the better quartile of its samples
	Decided   bool           // before the budget was used
	Finding   paired.Finding // whose P is comparable with Share
	Means     bool           // the finding is about the means of all samples, not about Old and New
	Share     float64        // of alpha
	// the least change that matters
	Threshold float64
}

// hypothesis is a comparison while rounds are added to it: that nothing has changed.
type hypothesis struct {
	Comparison
	at       place
	test     *paired.Test // nil before the comparison has a share of alpha
	mean     meanTest
	quiet    bool // the first round had no noise
	same     bool // all figures so far are the same
	constant bool // and so are all samples
	level    bool // all samples of a side are the same; the sides may differ
	samples  int  // of either side
}

// quietShare is the part of alpha that all units without noise have together.
const quietShare = 0.1

func newHypothesis(at place) *hypothesis {
	return &hypothesis{at: at, same: true, constant: true, level: true, Comparison: Comparison{Benchmark: at.row, Unit: at.unit}}
}

// add adds a round.
func (h *hypothesis) add(old, new figure) {
	if len(h.Old) == 0 {
		h.quiet = old.constant && new.constant && (old.value == new.value || min(old.samples, new.samples) > 1)
	}
	h.constant = h.constant && old.constant && new.constant
	h.samples += min(old.samples, new.samples)
	h.Old, h.New = append(h.Old, old.value), append(h.New, new.value)
	h.same = h.same && old.value == new.value && old.value == h.Old[0] && old.mean == new.mean
	h.level = h.level && h.constant && old.value == h.Old[0] && new.value == h.New[0]
	h.mean.add(old.mean, new.mean)
	if h.test != nil {
		addRound(h.test, old.value, new.value)
	}
}

// open gives the comparison its share of alpha, and its tests the rounds so far.
func (h *hypothesis) open(share, threshold float64) {
	h.Share, h.Threshold = share, threshold
	forTest := share
	if !h.quiet {
		h.mean.open(share, threshold)
		forTest *= 1 - meanShare
	}
	h.test = paired.New(paired.Options{Threshold: threshold, Alpha: forTest})
	for i := range h.Old {
		addRound(h.test, h.Old[i], h.New[i])
	}
}

// look lets the tests decide. It must be called after every round.
func (h *hypothesis) look() {
	if h.test == nil || h.Decided {
		return
	}
	f, decided := h.test.Look()
	if h.mean.test != nil && f != (paired.Finding{}) { // both look at the same rounds
		g, _ := h.mean.test.Look()
		f, h.Means, decided = h.mean.weigh(f, g)
	}
	if decided {
		h.Decided, h.Finding = true, f
	}
}

// wanted reports whether further rounds may decide the comparison.
func (h *hypothesis) wanted() bool { return h.test != nil && !h.Decided && !h.settled() }

// settled reports whether further rounds would teach nothing, though no test has decided: counts
// that do not vary, or figures that have never differed, be it in constant samples or in more
// rounds than chance allows: times have few digits.
func (h *hypothesis) settled() bool {
	return h.counted() && len(h.Old) >= paired.MinRounds || h.same && (h.constant && h.samples >= compare.MinSamples || len(h.Old) >= paired.MinRounds)
}

// counted reports whether the comparison is of allocations that have not varied on either side, in
// enough samples for package compare to trust them. They have no noise that a test could allow for:
// if they differ, the programs do, in however few rounds. Times that do not vary are no such thing:
// a clock of few digits makes them so.
func (h *hypothesis) counted() bool {
	return compare.CountsAllocations(h.Unit) && h.level && h.samples >= compare.MinSamples
}

// decided reports whether the comparison needs no further rounds.
func (h *hypothesis) decided() bool { return h.Decided || h.settled() }

// close takes the last look.
func (h *hypothesis) close() {
	if h.test == nil || h.Decided {
		return
	}
	h.Finding = h.test.Last()
	if h.mean.test != nil {
		h.Finding, h.Means, _ = h.mean.weigh(h.Finding, h.mean.test.Last())
	}
}
