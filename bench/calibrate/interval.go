package calibrate

import "simhashkit/internal/binomial"

// Estimate is a share with its 95 % interval.
type Estimate struct {
	Defined bool    `json:"-"` // false: there is nothing to divide by, and the rest is 0
	Value   float64 `json:"value"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// mean returns the mean of those that are defined.
func mean(list []Estimate) (of Estimate) {
	n := 0.0
	for _, e := range list {
		if e.Defined {
			of.Defined, of.Value, of.Low, of.High = true, of.Value+e.Value, of.Low+e.Low, of.High+e.High
			n++
		}
	}
	if of.Defined {
		of.Value, of.Low, of.High = of.Value/n, of.Low/n, of.High/n
	}
	return of
}

// around returns the estimate with that value, which the interval is made to contain.
func (e Estimate) around(value float64) Estimate {
	return Estimate{true, value, min(e.Low, value), max(e.High, value)}
}

// part is a part of a whole, and what both are without each of the groups of vectors.
type part struct {
	hits, all        uint64
	hitsIn, allIn    [groups]uint64 // the pairs that a group has a part in
	vectorsConcerned int            // in all
}

// estimate returns hits/all.
func (p part) estimate() Estimate {
	if p.all == 0 {
		return Estimate{}
	}
	value := float64(p.hits) / float64(p.all)
	n := min(float64(p.all), max(1, float64(p.vectorsConcerned)/2))
	// A pair has a part in two groups, so the jackknife counts twice what each pair varies by
	// itself, and once what its vectors have in common with other pairs'.
	alone := value * (1 - value) / float64(p.all)
	if v := p.variance(value) - alone; v > alone && alone > 0 {
		n = max(1, min(n, value*(1-value)/v))
	}
	low, high := binomial.Wilson(value, n)
	return Estimate{true, value, low, high}
}

// variance is that of the jackknife over the groups.
func (p part) variance(value float64) float64 {
	var without [groups]float64
	mean := 0.0
	for g := range without {
		without[g] = value
		if all := p.all - p.allIn[g]; all > 0 {
			without[g] = float64(p.hits-p.hitsIn[g]) / float64(all)
		}
		mean += without[g] / groups
	}
	sum := 0.0
	for _, x := range without {
		sum += float64((x - mean) * (x - mean))
	}
	return sum * (groups - 1) / groups
}
