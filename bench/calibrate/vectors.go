package calibrate

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"simhashkit/datasets"
)

// mostWork bounds the multiplications for all cosines; a sample that takes more is made smaller.
const mostWork = 4e9

// sample is some vectors of a set, in random order: as they are, to be sketched, and of length 1
// over numbered positions, by vector and by position.
type sample[W datasets.Weight] struct {
	given datasets.CSR[W]
	rows  []int // of the given vectors, in the set that they were drawn from
	unit  bool

	offsets   []int
	positions []int32
	weights   []float64
	lists     []int // of position p: [lists[p], lists[p+1])
	listed    []entry
}

// entry is one vector in the list of a position.
type entry struct {
	vector int32
	weight float64
}

func (s *sample[W]) len() int { return len(s.offsets) - 1 }

// newSample draws vectors that have a length, fewer than most where their cosines would take more
// than that many multiplications; skipped counts those drawn that have none.
func newSample[W datasets.Weight](set *datasets.CSR[W], most int, seed uint64, mostWork float64) (s *sample[W], skipped int, err error) {
	order := shuffled(set.Len(), seed)
	s = &sample[W]{unit: set.Weights == nil, offsets: []int{0}}
	var indices []uint64
	for _, row := range order {
		if s.len() == most {
			break
		}
		listed, weights := set.Row(row)
		features, err := normalised(listed, weights)
		if err != nil {
			return nil, 0, fmt.Errorf("calibrate: vector %d: %w", row+1, err)
		}
		if len(features) == 0 {
			skipped++
			continue
		}
		if err := s.given.Append(&datasets.Row[W]{Indices: listed, Weights: weights}); err != nil {
			return nil, 0, fmt.Errorf("calibrate: %w", err)
		}
		s.rows = append(s.rows, row)
		for _, f := range features {
			indices, s.weights = append(indices, f.index), append(s.weights, f.weight)
		}
		s.offsets = append(s.offsets, len(indices))
	}
	s.number(indices)
	if work := s.work(); work > mostWork && s.len() > 2 {
		return newSample(set, max(2, int(float64(s.len())*math.Sqrt(mostWork/work))), seed, mostWork)
	}
	return s, skipped, nil
}

// shuffled returns the numbers below n in random order, the same on machines of any word size,
// which rand.Perm does not promise.
func shuffled(n int, seed uint64) []int {
	order := make([]int, n)
	r := rand.NewPCG(seed, 0)
	for i := range order {
		at, _ := bits.Mul64(r.Uint64(), uint64(i+1))
		order[i], order[at] = order[at], i
	}
	return order
}

type feature struct {
	index  uint64
	weight float64
}

// normalised returns the features in ascending order, repeats added up, as a vector of length 1;
// none if its length is 0.
func normalised[W datasets.Weight](indices []uint64, weights []W) ([]feature, error) {
	features := make([]feature, len(indices))
	greatest := 0.0
	for i, index := range indices {
		features[i] = feature{index, 1}
		if weights != nil {
			features[i].weight = float64(weights[i])
		}
		greatest = max(greatest, math.Abs(features[i].weight))
		if x := features[i].weight; math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("weight %v: expected finite ones", x)
		}
	}
	slices.SortStableFunc(features, func(a, b feature) int { return cmp.Compare(a.index, b.index) })
	// scaled by a power of two, squares neither overflow nor vanish
	_, exponent := math.Frexp(greatest)
	n := 0
	for _, f := range features {
		f.weight = math.Ldexp(f.weight, -exponent)
		if n > 0 && features[n-1].index == f.index {
			features[n-1].weight += f.weight
			continue
		}
		features[n] = f
		n++
	}
	features = slices.DeleteFunc(features[:n], func(f feature) bool { return f.weight == 0 })
	square := 0.0
	for _, f := range features {
		square += float64(f.weight * f.weight)
	}
	for i := range features {
		features[i].weight /= math.Sqrt(square)
	}
	return features, nil
}

// number gives the indices positions and lists the vectors of each.
func (s *sample[W]) number(indices []uint64) {
	distinct := slices.Clone(indices)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	s.positions = make([]int32, len(indices))
	s.lists = make([]int, len(distinct)+1)
	for i, index := range indices {
		at, _ := slices.BinarySearch(distinct, index)
		s.positions[i] = int32(at)
		s.lists[at+1]++
	}
	for i := range distinct {
		s.lists[i+1] += s.lists[i]
	}
	next := slices.Clone(s.lists)
	s.listed = make([]entry, len(indices))
	for v := range s.len() {
		for i := s.offsets[v]; i < s.offsets[v+1]; i++ {
			p := s.positions[i]
			s.listed[next[p]] = entry{int32(v), s.weights[i]}
			next[p]++
		}
	}
}

// work is how many multiplications all cosines take.
func (s *sample[W]) work() float64 {
	work := 0.0
	for p := range len(s.lists) - 1 {
		n := float64(s.lists[p+1] - s.lists[p])
		work += n * n / 2
	}
	return work
}

// jaccards turns the cosines of set j and the sets before it into Jaccard similarities.
func (s *sample[W]) jaccards(dots []float64, j int) {
	own := s.offsets[j+1] - s.offsets[j]
	for i, x := range dots {
		if x != 0 {
			size := s.offsets[i+1] - s.offsets[i]
			both := math.Round(x * math.Sqrt(float64(own)*float64(size)))
			dots[i] = both / (float64(own+size) - both)
		}
	}
}

// cosines adds to dots[i] the cosine of vector j and each vector i before it; dots are zero before.
func (s *sample[W]) cosines(dots []float64, j int) {
	for at := s.offsets[j]; at < s.offsets[j+1]; at++ {
		p, x := s.positions[at], s.weights[at]
		for _, e := range s.listed[s.lists[p]:s.lists[p+1]] {
			if int(e.vector) >= j {
				break
			}
			// the conversion forbids a fused multiply-add, which some machines lack
			dots[e.vector] += float64(e.weight * x)
		}
	}
}
