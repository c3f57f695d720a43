package dedup

// Sizes counts texts by how many features they have.
type Sizes struct {
	counts [1 << 10]int // the last of them: of so many and more
	all    int
}

// Add counts a text, unless it has no features.
func (s *Sizes) Add(features int) {
	if features > 0 {
		s.counts[min(features, len(s.counts)-1)]++
		s.all++
	}
}

// Median returns how many features half of the texts have at most, or 1023 where that is less; 0
// where there are no texts.
func (s *Sizes) Median() int {
	below := 0
	for features, n := range s.counts {
		if below += n; s.all > 0 && 2*below >= s.all {
			return features
		}
	}
	return 0
}
