package choose

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

const (
	mostVectors = 10_000 // in a sample
	mostWork    = 4e9    // multiplications for all cosines; a sample that takes more is made smaller
	editCount   = 2_000  // copies
)

// sample is some vectors of a set, in random order: as they are, to be sketched, and of length 1
// over numbered positions, by vector and by position.
type sample struct {
	given datasets.CSR[float32]
	rows  []int // of the given vectors, in the set that they were drawn from

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

func (s *sample) len() int { return len(s.offsets) - 1 }

// newSample draws vectors of positive length; fewer than most if their cosines would take too many
// multiplications.
func newSample(set *datasets.CSR[float32], most int, mostWork float64) (*sample, error) {
	s := &sample{offsets: []int{0}}
	var indices []uint64
	for _, row := range shuffled(set.Len()) {
		if s.len() == most {
			break
		}
		listed, weights := set.Row(row)
		features := normalised(listed, weights)
		if len(features) == 0 {
			continue
		}
		if err := s.given.Append(&datasets.Row[float32]{Indices: listed, Weights: weights}); err != nil {
			return nil, fmt.Errorf("choose: %w", err)
		}
		s.rows = append(s.rows, row)
		for _, f := range features {
			indices, s.weights = append(indices, f.index), append(s.weights, f.weight)
		}
		s.offsets = append(s.offsets, len(indices))
	}
	s.number(indices)
	if work := s.work(); work > mostWork && s.len() > 2 {
		return newSample(set, max(2, int(float64(s.len())*math.Sqrt(mostWork/work))), mostWork)
	}
	return s, nil
}

// shuffled returns the numbers below n in random order, the same on machines of any word size,
// which rand.Perm does not promise.
func shuffled(n int) []int {
	order := make([]int, n)
	r := rand.NewPCG(0, 0)
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

// normalised returns the vector scaled to length 1, with ascending indices and repeats added up;
// none if its length is 0.
func normalised(indices []uint64, weights []float32) []feature {
	features := make([]feature, len(indices))
	for i, index := range indices {
		features[i] = feature{index, float64(weights[i])}
	}
	slices.SortStableFunc(features, func(a, b feature) int { return cmp.Compare(a.index, b.index) })
	n, square := 0, 0.0
	for _, f := range features {
		if n > 0 && features[n-1].index == f.index {
			features[n-1].weight += f.weight
			continue
		}
		features[n] = f
		n++
	}
	features = slices.DeleteFunc(features[:n], func(f feature) bool { return f.weight == 0 })
	for _, f := range features { // float64 has room for all squares of float32
		square += float64(f.weight * f.weight)
	}
	for i := range features {
		features[i].weight /= math.Sqrt(square)
	}
	return features
}

// number numbers the indices, and lists the vectors of each.
func (s *sample) number(indices []uint64) {
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
func (s *sample) work() float64 {
	work := 0.0
	for p := range len(s.lists) - 1 {
		n := float64(s.lists[p+1] - s.lists[p])
		work += n * n / 2
	}
	return work
}

// cosines stores in dots[i] the cosine of vector j and each vector i before it.
func (s *sample) cosines(dots []float64, j int) {
	clear(dots[:j])
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

// edits are edited copies of vectors of the sample that are near-duplicates of them.
type edits struct {
	copies  datasets.CSR[float32]
	of      []int
	cosines []float64
}

// newEdits makes edited copies at the usual rates, at the rate that gives the wanted cosine for
// equal weights, and at half of that.
func (s *sample) newEdits(cosine float64) (*edits, error) {
	rates := append(slices.Clone(quality.EditRates), 1-max(0, cosine), (1-max(0, cosine))/2)
	copies, of, err := quality.Edit(&s.given, rates, editCount, 0)
	if err != nil {
		return nil, err
	}
	e := &edits{}
	for i, original := range of {
		indices, weights := s.given.Row(original)
		edited, editedWeights := copies.Row(i)
		c := datasets.Cosine(indices, weights, edited, editedWeights)
		if !isNear(c, cosine) || isCopy(c) {
			continue
		}
		if err := e.copies.Append(&datasets.Row[float32]{Indices: edited, Weights: editedWeights}); err != nil {
			return nil, fmt.Errorf("choose: %w", err)
		}
		e.of, e.cosines = append(e.of, original), append(e.cosines, c)
	}
	return e, nil
}

// hash is one way to make fingerprints.
type hash struct {
	family   fphash.Family
	encoding fphash.Encoding
	seed     uint64
	widen    fphash.Widen // for widths beyond the family's
}

// sketcher returns the sketcher of a width.
func (h hash) sketcher(bits int) (*fphash.Sketcher, error) {
	return fphash.New(fphash.WithFamily(h.family), fphash.WithEncoding(h.encoding), fphash.WithSeed(h.seed), fphash.WithBits(bits), fphash.WithWiden(h.widenTo(bits)))
}

// widenTo returns the widening that a width takes.
func (h hash) widenTo(bits int) fphash.Widen {
	if bits <= h.family.Bits {
		return fphash.WidenNone
	}
	return h.widen
}

// widenable returns the hash with a widening to that many bits, if it has a suitable one.
func (h hash) widenable(bits int) hash {
	for _, way := range []fphash.Widen{fphash.WidenMix, fphash.WidenCounter, fphash.WidenReseed} { // the cheapest first
		wider := h
		wider.widen = way
		if _, err := wider.sketcher(bits); err == nil {
			return wider
		}
	}
	return h
}

// keyed returns the hash under the keyings that figures are means over.
func (h hash) keyed() []hash {
	const keyings = 4
	list := []hash{h}
	for i := uint64(1); i < keyings && (h.family.Seeded || h.family.KeyBytes > 0); i++ {
		next := h
		next.seed = i
		list = append(list, next)
	}
	return list
}

// fingerprints returns those of all vectors of a set; rows are their numbers, for errors.
func fingerprints(s *fphash.Sketcher, set *datasets.CSR[float32], rows []int) ([]uint64, error) {
	list, status, err := fphash.AppendBatch(s, nil, nil, set.Offsets, set.Indices, set.Weights)
	if err != nil {
		return nil, fmt.Errorf("choose: %w", err)
	}
	if i := slices.Index(status, fphash.NotFinite); i >= 0 {
		return nil, fmt.Errorf("choose: vector %d: %w", rows[i]+1, fphash.NotFinite.Err())
	}
	return list, nil
}
