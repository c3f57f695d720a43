package ab

import (
	"math"
	"strings"

	"simhashkit/bench/gobench/ab/paired"
	"simhashkit/bench/gobench/compare"
)

// Comparison is what the rounds say of a benchmark in a statistical unit.
type Comparison struct {
	Benchmark string
	Unit      string // tidied: sec/op for ns/op
	// the figure of each round's run: the quartile of its samples that is least disturbed
	Old, New []float64
	Decided  bool           // before the budget was used
	Finding  paired.Finding // whose P is comparable with Share
	// the finding is about the means of all samples of the runs, which differ where Old and New do
	// not
	Means bool
	Share float64 // of alpha
	// the least change that matters
	Threshold float64
}

// hypothesis is a comparison while it is made.
type hypothesis struct {
	Comparison
	at       place
	test     *paired.Test
	means    means
	quiet    bool // the first round had no noise
	same     bool // all figures so far are the same
	constant bool // and so are all samples
	// all samples of a side are the same, which may differ from those of the other side
	level   bool
	samples int         // of either side
	time    *hypothesis // the unit is a rate that says what this one says; nil otherwise
}

// rateTolerance is how far rate times time may differ between the sides of a round for the rate to
// say nothing but the time: files have few digits of either.
const rateTolerance = 0.005

// quietShare is what units without noise have of alpha, all together, beside others that have
// noise.
const quietShare = 0.1

func newHypothesis(at place) *hypothesis {
	return &hypothesis{at: at, same: true, constant: true, level: true, Comparison: Comparison{Benchmark: at.row, Unit: at.unit}}
}

// add adds a round; the test follows when there is one.
func (h *hypothesis) add(old, new figure) {
	if len(h.Old) == 0 {
		h.quiet = old.constant && new.constant && (old.value == new.value || min(old.samples, new.samples) > 1)
	}
	h.constant = h.constant && old.constant && new.constant
	h.samples += min(old.samples, new.samples)
	h.Old, h.New = append(h.Old, old.value), append(h.New, new.value)
	h.same = h.same && old.value == new.value && old.value == h.Old[0] && old.mean == new.mean
	h.level = h.level && h.constant && old.value == h.Old[0] && new.value == h.New[0]
	h.means.add(old.mean, new.mean)
	if h.test != nil {
		feed(h.test, old.value, new.value)
	}
}

// open gives the comparison its share of alpha, and the rounds that there are.
func (h *hypothesis) open(share, threshold float64) {
	h.Share, h.Threshold = share, threshold
	forTest := share
	if !h.quiet {
		h.means.open(share, threshold)
		forTest *= 1 - meansShare
	}
	h.test = paired.New(paired.Options{Threshold: threshold, Alpha: forTest})
	for i := range h.Old {
		feed(h.test, h.Old[i], h.New[i])
	}
}

// look looks at the tests, which is to be done after every round.
func (h *hypothesis) look() {
	if h.test == nil || h.Decided {
		return
	}
	f, decided := h.test.Look()
	if h.means.test != nil && f != (paired.Finding{}) { // both look at the same rounds
		g, _ := h.means.test.Look()
		f, h.Means, decided = h.means.weigh(f, g)
	}
	if decided {
		h.Decided, h.Finding = true, f
	}
}

// wanted reports whether further rounds are wanted. Figures that have never differed ask for no
// more than the usual test needs to say so.
func (h *hypothesis) wanted() bool { return h.test != nil && !h.Decided && !h.settled() }

// settled reports whether nothing is to be learnt from further rounds, though no test has decided:
// counts of allocations that are judged strictly, or figures that have never differed, in samples
// that have not differed either, or in more rounds than chance allows: times have few
// digits.
func (h *hypothesis) settled() bool {
	return h.strict() && len(h.Old) >= paired.MinRounds || h.same && (h.constant && h.samples >= compare.MinSamples || len(h.Old) >= paired.MinRounds)
}

// decided reports whether all is known that is wanted.
func (h *hypothesis) decided() bool {
	if h.time != nil {
		return h.time.decided()
	}
	return h.Decided || h.settled()
}

// close takes the last look.
func (h *hypothesis) close() {
	if h.test == nil || h.Decided {
		return
	}
	h.Finding = h.test.Last()
	if h.means.test != nil {
		h.Finding, h.Means, _ = h.means.weigh(h.Finding, h.means.test.Last())
	}
}

// follows makes h follow the time where it is a rate that says the same.
func (h *hypothesis) follows(time *hypothesis) bool {
	if !strings.HasSuffix(h.Unit, "/s") || len(h.Old) != len(time.Old) {
		return false
	}
	for i := range h.Old {
		ratio := h.New[i] * time.New[i] / (h.Old[i] * time.Old[i])
		if !(math.Abs(ratio-1) <= rateTolerance) {
			return false
		}
	}
	h.time = time
	return true
}

// effect returns the finding as package compare has it, P being comparable with alpha; ok is false
// where there is none.
func (h *hypothesis) effect(alpha float64) (e compare.Effect, ok bool) {
	if h.time != nil {
		if !h.follows(h.time) {
			return compare.Effect{}, false // it did in the first round
		}
		e, ok = h.time.effect(alpha)
		return inverse(e), ok
	}
	switch {
	case h.strict():
		return h.strictly(), true
	case h.settled():
		// also if samples differ now and then: the usual test, which sees that, has no share of
		// alpha
		return compare.Effect{P: 1}, true
	case h.test == nil || h.same && h.samples < compare.MinSamples:
		// package compare says that there are too few samples
		return compare.Effect{}, false
	}
	f := h.Finding
	return compare.Effect{Change: f.Change, Lo: f.Lo, Hi: f.Hi, P: min(1, f.P*alpha/h.Share), Detectable: f.Detectable, Noise: f.Noise}, true
}

// inverse turns the effect on a time into that on a rate.
func inverse(e compare.Effect) compare.Effect {
	rate := func(change float64) float64 { return 1/(1+max(change, -1)) - 1 }
	e.Change, e.Lo, e.Hi = rate(e.Change), rate(e.Hi), rate(e.Lo)
	if !math.IsInf(e.Detectable, 0) {
		e.Detectable = math.Abs(rate(e.Detectable))
	}
	return e
}
