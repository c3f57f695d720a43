package ab

import (
	"math"

	"simhashkit/bench/gobench/ab/paired"
)

// meanShare is the part of a comparison's alpha that its mean test has.
const meanShare = 0.2

// meanTest is the second test of a comparison with noise. It is of the means of all samples of the
// runs, which show what slows only some of the samples down and leaves their quartile alone. Means
// also show every disturbance of the machine, so this test seldom finds a change first; but its
// estimate can keep a comparison from being called no change.
type meanTest struct {
	old, new         []float64
	test             *paired.Test
	share, threshold float64 // of the comparison
}

func (m *meanTest) add(old, new float64) {
	m.old, m.new = append(m.old, old), append(m.new, new)
	if m.test != nil {
		addRound(m.test, old, new)
	}
}

// open gives the test its part of the comparison's share of alpha, and the rounds that there are.
func (m *meanTest) open(share, threshold float64) {
	m.share, m.threshold = share, threshold
	m.test = paired.New(paired.Options{Threshold: threshold, Alpha: share * meanShare})
	for i := range m.old {
		addRound(m.test, m.old[i], m.new[i])
	}
}

// weigh decides between the finding of the quartiles and that of the means. It scales P of both to
// the comparison's share of alpha, and returns the finding that counts, whether it is that of the
// means, and whether the comparison is decided.
func (m *meanTest) weigh(quartile, mean paired.Finding) (counts paired.Finding, ofMean, decided bool) {
	quartile.P, mean.P = min(1, quartile.P/(1-meanShare)), min(1, mean.P/meanShare)
	beyond := func(f paired.Finding) bool { return math.Abs(f.Change) > m.threshold }
	significant := func(f paired.Finding) bool { return f.P <= m.share && beyond(f) }
	within := max(math.Abs(quartile.Lo), math.Abs(quartile.Hi)) <= m.threshold
	opposed := beyond(mean) && (quartile.Change > 0) != (mean.Change > 0)
	switch {
	case significant(quartile) && !opposed:
		return quartile, false, true
	case significant(mean):
		return mean, true, true
	case significant(quartile), within && beyond(mean): // the two disagree, perhaps by noise
		return mean, true, false
	}
	return quartile, false, within
}

// addRound adds a round to a test.
func addRound(t *paired.Test, old, new float64) {
	if err := t.Add(old, new); err != nil {
		panic(err) // the parser leaves out what is not finite
	}
}
