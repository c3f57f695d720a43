package ab

import (
	"fmt"
	"math"
	"slices"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/english"
	"simhashkit/internal/gobench/paired"
	"simhashkit/internal/gobench/samples"
)

// judge tests the comparisons of all tasks, and is the Judge of package compare.
type judge struct {
	rules      compare.Options
	parser     *parser
	hypotheses []*hypothesis // in the order of their first rounds
	find       map[tested]*hypothesis
	opened     bool          // the first rounds are over
	untested   []compare.Gap // gaps of rows without a verdict
}

// tested names a hypothesis.
type tested struct {
	task int
	at   place
}

func newJudge(rules compare.Options) (*judge, error) {
	p, err := newParser(rules.Ignore)
	return &judge{rules: rules, parser: p, find: map[tested]*hypothesis{}}, err
}

// add adds a round of a task. Benchmarks that are missing in the first round have no share of alpha
// and are not tested.
func (j *judge) add(task int, old, new []figure) {
	for _, f := range old {
		other := slices.IndexFunc(new, func(n figure) bool { return n.at == f.at })
		if other < 0 {
			continue
		}
		h := j.find[tested{task, f.at}]
		if h == nil {
			if j.opened {
				continue
			}
			h = newHypothesis(task, f.at)
			j.find[tested{task, f.at}] = h
			j.hypotheses = append(j.hypotheses, h)
		}
		h.add(f, new[other])
		h.look()
	}
}

// open gives each comparison its share of alpha, after the first rounds of all tasks.
func (j *judge) open() {
	j.opened = true
	noisy, quiet := 0, 0
	for _, h := range j.hypotheses {
		if h.quiet {
			quiet++
		} else {
			noisy++
		}
	}
	forQuiet := quietShare
	if noisy == 0 {
		forQuiet = 1
	} else if quiet == 0 {
		forQuiet = 0
	}
	for _, h := range j.hypotheses {
		share := j.rules.Alpha * (1 - forQuiet) / float64(noisy)
		if h.quiet {
			share = j.rules.Alpha * forQuiet / float64(quiet)
		}
		h.open(share, j.rules.Threshold.Of(h.at.unit, false))
	}
}

// close makes the last test of each undecided comparison.
func (j *judge) close() {
	if !j.opened { // there were only first rounds
		j.open()
	}
	for _, h := range j.hypotheses {
		h.close()
	}
}

// decided counts the comparisons that need no further rounds.
func (j *judge) decided() int {
	n := 0
	for _, h := range j.hypotheses {
		if h.decided || h.settled() {
			n++
		}
	}
	return n
}

func (j *judge) wanted(task int) bool {
	return slices.ContainsFunc(j.hypotheses, func(h *hypothesis) bool { return h.task == task && h.wanted() })
}

// suspects reports whether the last look at a task saw a change beyond the threshold whose interval
// excludes no change, but could not decide it.
func (j *judge) suspects(task int) bool {
	return slices.ContainsFunc(j.hypotheses, func(h *hypothesis) bool {
		return h.task == task && h.wanted() && math.Abs(h.finding.Change) > h.threshold && h.finding.Lo*h.finding.Hi > 0
	})
}

// enough returns the number of rounds after which a large change is significant.
func (j *judge) enough() int {
	n := paired.MinRounds
	for _, h := range j.hypotheses {
		if !h.quiet {
			n = max(n, paired.Needed(h.share*(1-meanShare)))
		}
	}
	return n
}

// judgement is the Judge of package compare.
func (j *judge) judgement(t compare.Table, r compare.Row) (compare.Judgement, bool) {
	at := placeOf(t, r)
	var of []*hypothesis
	for _, h := range j.hypotheses {
		if h.at == at {
			of = append(of, h)
		}
	}
	if len(of) == 1 {
		return of[0].judgement(of[0].effect(j.rules.Alpha)), true
	}
	why := "was not tested, since the first round has no figures of both sides"
	if len(of) > 1 {
		why = "was not tested, since --ignore has merged several benchmarks into one, whose rounds are separate"
	}
	j.untested = append(j.untested, j.gap(at, at.row+" "+why))
	return compare.Judgement{}, false
}

// hypothesis is the comparison of a benchmark in a unit. The null hypothesis is that nothing has
// changed.
type hypothesis struct {
	task      int
	at        place
	quartiles paired.Figures // the better quartiles of the samples
	means     paired.Figures // the means of the samples
	test      *paired.Test   // compares the quartiles; nil before open
	meanTest  *paired.Test   // compares the means; nil without noise
	decided   bool           // a test has decided before the budget was used up
	finding   paired.Finding // of the last look; its P must be compared with share
	ofMeans   bool           // the finding is about the means, not about the quartiles
	share     float64        // of alpha
	threshold float64        // the smallest change that matters
	quiet     bool           // the first round had no noise
	same      bool           // all figures so far are equal
	constant  bool           // the samples of each run are equal
	level     bool           // all samples of a side are equal; the sides may differ
	samples   int            // of the side with fewer samples
}

const (
	quietShare = 0.1 // share of alpha of all units without noise together
	meanShare  = 0.2 // share of a comparison's alpha for the test of means
)

func newHypothesis(task int, at place) *hypothesis {
	return &hypothesis{task: task, at: at, same: true, constant: true, level: true}
}

func (h *hypothesis) rounds() int { return len(h.quartiles.Old) }

func (h *hypothesis) add(old, new figure) {
	if h.rounds() == 0 {
		h.quiet = old.constant && new.constant && (old.value == new.value || min(old.samples, new.samples) > 1)
	}
	h.quartiles.Add(old.value, new.value)
	h.means.Add(old.mean, new.mean)
	h.constant = h.constant && old.constant && new.constant
	h.samples += min(old.samples, new.samples)
	first, firstNew := h.quartiles.Old[0], h.quartiles.New[0]
	h.same = h.same && old.value == new.value && old.value == first && old.mean == new.mean
	h.level = h.level && h.constant && old.value == first && new.value == firstNew
}

// open sets the comparison's share of alpha.
func (h *hypothesis) open(share, threshold float64) {
	h.share, h.threshold = share, threshold
	forTest := share
	if !h.quiet {
		forTest *= 1 - meanShare
		h.meanTest = paired.New(paired.Options{Threshold: threshold, Alpha: share * meanShare})
	}
	h.test = paired.New(paired.Options{Threshold: threshold, Alpha: forTest})
}

// look decides the comparison if the tests allow it. It must be called after every round.
func (h *hypothesis) look() {
	if h.test == nil || h.decided {
		return
	}
	f, decided := h.test.Look(h.quartiles)
	if f == (paired.Finding{}) {
		return
	}
	h.finding, h.decided = f, decided
	if h.meanTest != nil { // both tests have the same schedule
		g, _ := h.meanTest.Look(h.means)
		h.finding, h.ofMeans, h.decided = h.weigh(f, g)
	}
}

// wanted reports whether further rounds may decide the comparison. Allocations that vary by chance
// would never be decided.
func (h *hypothesis) wanted() bool {
	if h.test == nil || h.decided || h.settled() {
		return false
	}
	return !samples.CountsAllocations(h.at.unit) || h.rounds() < paired.Needed(h.test.Alpha())
}

// settled reports whether further rounds are useless although no test has decided.
func (h *hypothesis) settled() bool {
	return h.counted() && h.rounds() >= paired.MinRounds || h.alike() || h.same && (h.constant && h.samples >= compare.MinSamples || h.rounds() >= paired.MinRounds)
}

// alike reports whether all figures of bytes or allocations are within the threshold of each other.
func (h *hypothesis) alike() bool {
	return samples.CountsAllocations(h.at.unit) && samples.Relative(h.span()) <= h.threshold
}

// span returns the smallest and the largest figure of both sides.
func (h *hypothesis) span() (lo, hi float64) {
	all := slices.Concat(h.quartiles.Old, h.quartiles.New, h.means.Old, h.means.New)
	return slices.Min(all), slices.Max(all)
}

// counted reports whether the unit is bytes or allocations, and enough samples of each side are
// equal. If the sides then differ, the programs differ, even after few rounds. This does not apply
// to times: they may be equal because the clock is coarse.
func (h *hypothesis) counted() bool {
	return samples.CountsAllocations(h.at.unit) && h.level && h.samples >= compare.MinSamples
}

func (h *hypothesis) close() {
	if h.decided {
		return
	}
	h.finding = h.test.Last(h.quartiles)
	if h.meanTest != nil {
		h.finding, h.ofMeans, _ = h.weigh(h.finding, h.meanTest.Last(h.means))
	}
}

// weigh chooses between the finding of the quartiles and the finding of the means. Means show a
// slowdown of a few samples that does not change the quartile. They also contain every disturbance
// of the machine, so their test rarely finds a change first. But their estimate can prevent the
// verdict no change.
//
// weigh scales both P values to the comparison's share of alpha. It returns the chosen finding,
// whether it is about the means, and whether the comparison is decided.
func (h *hypothesis) weigh(quartile, mean paired.Finding) (counts paired.Finding, ofMean, decided bool) {
	quartile.P, mean.P = min(1, quartile.P/(1-meanShare)), min(1, mean.P/meanShare)
	beyond := func(f paired.Finding) bool { return math.Abs(f.Change) > h.threshold }
	significant := func(f paired.Finding) bool { return f.P <= h.share && beyond(f) }
	within := max(math.Abs(quartile.Lo), math.Abs(quartile.Hi)) <= h.threshold
	opposed := beyond(mean) && (quartile.Change > 0) != (mean.Change > 0)
	switch {
	case significant(quartile) && !opposed:
		return quartile, false, true
	case significant(mean):
		return mean, true, true
	case significant(quartile), within && beyond(mean): // the tests disagree, perhaps because of noise
		return mean, true, false
	}
	return quartile, false, within
}

// judgement returns the effect with the figures of the runs.
func (h *hypothesis) judgement(e compare.Effect) compare.Judgement {
	figures := h.quartiles
	if h.ofMeans {
		figures = h.means
	}
	return compare.Judgement{Effect: e, Old: figures.Old, New: figures.New}
}

// effect returns the finding for package compare, with P scaled for a comparison with alpha.
func (h *hypothesis) effect(alpha float64) compare.Effect {
	switch {
	case h.counted():
		change := samples.Relative(h.quartiles.Old[0], h.quartiles.New[0])
		e := compare.Effect{Change: change, Lo: change, Hi: change}
		if change == 0 {
			e.P = 1
		}
		return e
	case h.alike():
		lo, hi := h.span()
		return compare.Effect{Change: samples.Relative(h.quartiles.Old[0], h.quartiles.New[0]), Lo: samples.Relative(hi, lo), Hi: samples.Relative(lo, hi), P: 1}
	case h.settled():
		// some samples may differ, but the test of package compare has no share of alpha
		return compare.Effect{P: 1}
	}
	f := h.finding
	return compare.Effect{Change: f.Change, Lo: f.Lo, Hi: f.Hi, P: min(1, f.P*alpha/h.share), Detectable: f.Detectable, Noise: f.Noise}
}

func (j *judge) gap(at place, message string) compare.Gap {
	const kind = "samples"
	return compare.Gap{Kind: kind, Benchmark: at.row, Units: []string{at.unit}, Accepted: slices.Contains(j.rules.Accept, kind), Message: message}
}

// report compares the outputs of both sides. It adds the note, and notes on the comparisons that
// the means decided, and on what would decide the others.
func (j *judge) report(old, new compare.Input, note string, remedy func(task, rounds int) string) (*compare.Report, error) {
	j.rules.Judge = j.judgement
	r, err := compare.Compare([]compare.Input{old, new}, j.rules)
	if err != nil {
		return nil, fmt.Errorf("ab: %w", err)
	}
	r.Notes = append(r.Notes, note)
	var undecided []string
	for _, h := range j.hypotheses {
		if h.ofMeans {
			r.Notes = append(r.Notes, fmt.Sprintf("%s %s is judged by the mean of all samples, since the better quartile differs less: perhaps only some calls are slower", h.at.row, h.at.unit))
		}
		if h.unclear() && !samples.CountsAllocations(h.at.unit) {
			undecided = append(undecided, h.need(remedy))
		}
	}
	if len(undecided) > 0 {
		r.Notes = append(r.Notes, "undecided: "+english.Some(undecided, "; "))
	}
	r.Gaps = append(r.Gaps, j.untested...)
	return r, nil
}

// unclear reports whether package compare gives the finding the verdict unclear.
func (h *hypothesis) unclear() bool {
	f := h.finding
	return !h.decided && !h.settled() && f.Noise && f.P > h.share && max(math.Abs(f.Lo), math.Abs(f.Hi)) > h.threshold
}

// need describes what would decide an unclear comparison. The detectable change falls with the root
// of the number of rounds.
func (h *hypothesis) need(remedy func(task, rounds int) string) string {
	n, f := h.rounds(), h.finding
	rounds := paired.Needed(h.test.Alpha())
	sought := max(h.threshold, math.Abs(f.Change))
	if detectable := min(f.Detectable, f.Hi-f.Lo); !math.IsInf(detectable, 1) {
		rounds = int(max(float64(rounds), min(math.Ceil(float64(n)*math.Pow(detectable/sought, 2)), 1e6)))
	}
	return fmt.Sprintf("%s %s had %s, needs %s to see %.2g%%", h.at.row, h.at.unit, english.Count(n, "round"), remedy(h.task, max(1, rounds-n)), 100*sought)
}
