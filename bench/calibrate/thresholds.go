package calibrate

import "slices"

// width returns what is found at each threshold.
func (s *survey[W]) width(c *counts, column int, hash Hash, o Options) Width {
	bits := s.columns[column].bits
	w := Width{Bits: bits, Widen: widening(hash.widenTo(bits)), Thresholds: s.pooled(c, column)}
	if w.Least = LeastK(least(w.Thresholds, o.Recall)); w.Least >= 0 {
		w.From = slices.IndexFunc(w.Thresholds, func(t Threshold) bool { return t.Recall.High >= o.Recall })
		w.To = slices.IndexFunc(w.Thresholds, func(t Threshold) bool { return t.Recall.Low >= o.Recall || t.Recall.Value == 1 })
		precision := w.Thresholds[w.Least].Precision
		w.Fits = precision.Defined && precision.Value >= o.Precision
	}
	return w
}

// least returns the smallest k of a recall, -1 where there are no near-duplicates.
func least(thresholds []Threshold, recall float64) int {
	return slices.IndexFunc(thresholds, func(t Threshold) bool { return t.Recall.Defined && t.Recall.Value >= recall })
}

// pooled returns the thresholds of a column and of the others of its width, taken together. Their
// intervals are the means: they are about the vectors, which are the same under every keying.
func (s *survey[W]) pooled(c *counts, column int) []Threshold {
	var of [][]Threshold
	for i := range 1 + s.columns[column].others {
		of = append(of, s.thresholds(c, column+i))
	}
	pooled := slices.Clone(of[0])
	for k := range pooled {
		var found, hits float64
		var recalls, precisions []Estimate
		for _, thresholds := range of {
			t := thresholds[k]
			found, hits = found+t.Found, hits+t.Hits
			recalls, precisions = append(recalls, t.Recall), append(precisions, t.Precision)
		}
		t := &pooled[k]
		n := float64(len(of))
		t.Found, t.Hits = found/n, hits/n
		t.Recall = mean(recalls)
		if t.Precision = mean(precisions); t.Precision.Defined {
			t.Precision = t.Precision.around(hits / found)
		}
	}
	return pooled
}

// thresholds returns those of one column.
func (s *survey[W]) thresholds(c *counts, column int) []Threshold {
	col := s.columns[column]
	near := s.predict(c, col.bits, 0, s.nearTo+1)
	far := s.predict(c, col.bits, s.nearTo+1, len(s.lows))
	related, wanted := 0, uint64(0)
	for _, is := range c.near {
		if is {
			related++
		}
	}
	inColumn := func(of byKind, kind int) []uint64 { return of[kind][col.from : col.from+col.bits+1] }
	var wantedIn [groups]uint64
	for _, n := range inColumn(c.total, duplicate) {
		wanted += n
	}
	for g := range wantedIn {
		for _, n := range inColumn(c.touch[g], duplicate) {
			wantedIn[g] += n
		}
	}
	concerned := make([]int, col.bits+1)
	for _, d := range c.least[column] {
		if int(d) <= col.bits {
			concerned[d]++
		}
	}
	recall := part{all: wanted, allIn: wantedIn, vectorsConcerned: related}
	precision := part{}
	var list []Threshold
	for k := range col.bits + 1 {
		hits, others := inColumn(c.total, duplicate)[k], inColumn(c.total, other)[k]
		recall.hits += hits
		precision.hits += hits
		precision.all += hits + others
		precision.vectorsConcerned += concerned[k]
		for g := range groups {
			hits, others := inColumn(c.touch[g], duplicate)[k], inColumn(c.touch[g], other)[k]
			recall.hitsIn[g] += hits
			precision.hitsIn[g] += hits
			precision.allIn[g] += hits + others
		}
		t := Threshold{K: k, Found: float64(precision.all), Hits: float64(recall.hits), Recall: recall.estimate(), Precision: precision.estimate()}
		if near.pairs > 0 {
			t.ModelRecall = min(1, near.within[k]/float64(near.pairs))
		}
		if found := near.within[k] + far.within[k]; found > 0 {
			t.ModelPrecision = near.within[k] / found
		}
		list = append(list, t)
	}
	return list
}
