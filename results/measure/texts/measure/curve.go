package measure

import "simhashkit/results/measure/texts/collections"

// curve counts pairs by what separates them: distances of fingerprints, or of cosines from 1. Those
// of at most a threshold are found.
type curve struct {
	same, different  []int // by distance
	allSame, allElse int
}

// found is what a threshold comes to.
type found struct {
	threshold         int
	recall, precision float64
	falsePerMillion   float64 // of the pairs that are different
	f1                float64
}

// curveOf counts pairs, those that are not judged left out.
func curveOf(distances []uint16, judgement func(n int) collections.Judgement, most int) *curve {
	c := &curve{same: make([]int, most+1), different: make([]int, most+1)}
	for n, d := range distances {
		switch judgement(n) {
		case collections.Same:
			c.same[d]++
			c.allSame++
		case collections.Different:
			c.different[d]++
			c.allElse++
		}
	}
	return c
}

// all returns what each threshold comes to, from 0 on.
func (c *curve) all() []found {
	list := make([]found, len(c.same))
	right, wrong := 0, 0
	for t := range list {
		right, wrong = right+c.same[t], wrong+c.different[t]
		f := found{threshold: t, falsePerMillion: 1e6 * ratio(wrong, c.allElse), recall: ratio(right, c.allSame), precision: ratio(right, right+wrong)}
		f.f1 = ratio(2*right, right+wrong+c.allSame)
		list[t] = f
	}
	return list
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// most returns, of the thresholds that are allowed, the one that finds most, and of several the
// lowest; false if none finds anything.
func most(list []found, allowed func(found) bool) (best found, ok bool) {
	for _, f := range list {
		if f.recall > best.recall && allowed(f) {
			best, ok = f, true
		}
	}
	return best, ok
}

// balanced returns the threshold of the highest F1.
func balanced(list []found) (best found) {
	for _, f := range list {
		if f.f1 > best.f1 {
			best = f
		}
	}
	return best
}
