package calibrate

import "math"

// bands returns those that have pairs, but for the copies.
func (s *survey[W]) bands(c *counts) []Band {
	bands := []Band{}
	from, above := 0, 1.0
	for i, edge := range s.edges {
		to := from
		for to < len(s.bandOf) && s.bandOf[to] == i {
			to++
		}
		b := Band{Low: edge, High: above}
		for _, n := range c.bins[from:to] {
			b.Pairs += n
		}
		if b.Pairs > 0 && i > 0 { // the first are the copies
			b.describe(c.histograms[i], s.predict(c, s.columns[s.main].bits, from, to))
			bands = append(bands, b)
		}
		from = to
		if i > 0 {
			above = edge
		}
	}
	return bands
}

// describe fills in what distances the pairs have and should have.
func (b *Band) describe(histogram []uint64, m prediction) {
	n, sum, squares, within := float64(b.Pairs), 0.0, 0.0, uint64(0)
	b.Histogram = histogram
	for d, count := range histogram {
		x := float64(d)
		sum += float64(x * float64(count))
		squares += float64(float64(x*x) * float64(count))
		within += count
		b.Within = append(b.Within, float64(within)/n)
		b.ModelWithin = append(b.ModelWithin, min(1, m.within[d]/n))
	}
	b.Mean, b.Deviation = sum/n, math.Sqrt(max(0, squares/n-float64((sum/n)*(sum/n))))
	b.ModelMean, b.ModelDeviation = m.mean, m.deviation
}
