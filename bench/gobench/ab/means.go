package ab

import (
	"math"

	"simhashkit/bench/gobench/ab/paired"
)

// meansShare is what the test of the means has of a comparison's alpha.
const meansShare = 0.2

// means is the second test of a comparison with noise: that of the means of all samples of the
// runs, which see what befalls only some of the samples and a quartile does not. All disturbances
// of the machine are in them too, so they seldom find a change first; but there is no verdict of no
// change against their estimate.
type means struct {
	old, new         []float64
	test             *paired.Test
	share, threshold float64 // of the comparison
}

func (m *means) add(old, new float64) {
	m.old, m.new = append(m.old, old), append(m.new, new)
	if m.test != nil {
		feed(m.test, old, new)
	}
}

// open gives the test its part of the comparison's share of alpha, and the rounds that there are.
func (m *means) open(share, threshold float64) {
	m.share, m.threshold = share, threshold
	m.test = paired.New(paired.Options{Threshold: threshold, Alpha: share * meansShare})
	for i := range m.old {
		feed(m.test, m.old[i], m.new[i])
	}
}

// weigh decides by the findings f of the quartiles and g of the means, whose P it makes comparable
// with the share of alpha of both together. It returns the one that counts, whether that is the one
// of the means, and whether the comparison is decided.
func (m *means) weigh(f, g paired.Finding) (counts paired.Finding, ofMeans, decided bool) {
	f.P, g.P = min(1, f.P/(1-meansShare)), min(1, g.P/meansShare)
	beyond := func(x paired.Finding) bool { return math.Abs(x.Change) > m.threshold }
	called := func(x paired.Finding) bool { return x.P <= m.share && beyond(x) }
	within := max(math.Abs(f.Lo), math.Abs(f.Hi)) <= m.threshold
	opposed := beyond(g) && (f.Change > 0) != (g.Change > 0)
	switch {
	case called(f) && !opposed:
		return f, false, true
	case called(g):
		return g, true, true
	case called(f), within && beyond(g): // the means tell something else, by what may be noise
		return g, true, false
	}
	return f, false, within
}

// feed adds a round to a test.
func feed(t *paired.Test, old, new float64) {
	if err := t.Add(old, new); err != nil {
		panic(err) // the parser leaves out what is not finite
	}
}
