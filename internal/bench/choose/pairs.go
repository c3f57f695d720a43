package choose

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/binomial"
)

const (
	leastPairs = 30    // pairs that k and width are chosen by, and that precision is measured by
	leastWidth = 8     // bits of the narrowest fingerprints that are tried
	rounding   = 1e-12 // tolerance, because cosines such as 0.9 occur exactly
	copyAngle  = 1e-6
	parts      = 16 // of the sample, each left out once to compute intervals
)

func isNear(cosine, from float64) bool { return cosine >= from-rounding }

func isCopy(cosine float64) bool { return cosine > math.Cos(copyAngle) }

// isFar reports whether a near-duplicate is at the threshold: in the lowest tenth of the cosines.
func isFar(cosine, from float64) bool { return cosine < from+(1-from)/10 }

// Pairs describes the pairs of the sample. Near-duplicates do not include copies.
type Pairs struct {
	Vectors  int    `json:"vectors"`        // vectors in the set
	Sample   int    `json:"sample"`         // vectors in the sample
	Repeated int    `json:"repeated"`       // vectors of the sample that are copies of another one
	All      uint64 `json:"-"`              // pairs of the sample, including copies
	Near     uint64 `json:"nearDuplicates"` // near-duplicates in the sample
	Copies   uint64 `json:"copies"`

	related int // number of different vectors that have a near-duplicate
}

// width holds the fingerprints of one width for each keying, and the number of pairs at each
// distance.
type width struct {
	bits, words, keyings int
	widen                string
	fingerprints         [][]uint64 // by keying

	near, far, other tally // pairs of the sample; far has the near-duplicates at the threshold
}

// tally counts pairs by distance: in each keying, and then over all keyings in each part of the
// sample. A pair of two parts counts in both. Counts are integers, so their sum does not depend on
// the order.
type tally [][]uint64

func newTally(keyings, bits int) tally {
	t := make(tally, keyings+parts)
	for i := range t {
		t[i] = make([]uint64, bits+1)
	}
	return t
}

func (t tally) count(keying, distance, part, other int) {
	keyings := len(t) - parts
	t[keying][distance]++
	t[keyings+part][distance]++
	if other != part {
		t[keyings+other][distance]++
	}
}

func (t tally) add(from tally) {
	for i, counts := range from {
		for d, n := range counts {
			t[i][d] += n
		}
	}
}

// within returns the number of pairs within k in each keying and part, and over all keyings.
func (t tally) within(k int) (each []float64, all float64) {
	each = make([]float64, len(t))
	for i, counts := range t {
		for _, n := range counts[:k+1] {
			each[i] += float64(n)
		}
		if i < len(t)-parts {
			all += each[i]
		}
	}
	return each, all
}

// share is a share of pairs with its 95% interval for other samples of the file and other keyings.
type share struct{ value, low, high float64 }

// shareOf returns the share that part has of part and rest together. The interval is Wilson's
// (1927), for as many pairs as have the variance of the share by the jackknife: over the parts of
// the sample, and twice over the keyings. Pairs share vectors, so at most independent pairs count.
func shareOf(part, rest []float64, keyings int, independent float64) share {
	a, b := 0.0, 0.0
	for i := range keyings {
		a, b = a+part[i], b+rest[i]
	}
	if a+b == 0 {
		return share{0, 0, 1}
	}
	s := share{value: a / (a + b)}
	var left [2][]float64 // the shares without a keying, and without a part
	for i := range part {
		if n := part[i] + rest[i]; n < a+b {
			kind := min(1, i/keyings)
			left[kind] = append(left[kind], (a-part[i])/(a+b-n))
		}
	}
	if variance := float64(2*jackknife(left[0])) + jackknife(left[1]); variance > 0 {
		independent = min(independent, s.value*(1-s.value)/variance)
	}
	s.low, s.high = binomial.Wilson(s.value, max(1, independent))
	return s
}

// jackknife returns the variance of a mean, given its values without one part each.
func jackknife(left []float64) (sum float64) {
	n, mean := float64(len(left)), 0.0
	for _, x := range left {
		mean += x / n
	}
	for _, x := range left {
		sum += float64((x-mean)*(x-mean)) * (n - 1) / n
	}
	return sum
}

type comparison struct {
	*sample
	pairs  *Pairs
	cosine float64
	widths []*width
}

// compare compares all pairs of a sample of the set.
func compare(ctx context.Context, set *datasets.CSR[float32], family fphash.Family, o Options) (*comparison, error) {
	s, err := newSample(set, mostVectors, mostWork)
	if err != nil {
		return nil, err
	}
	c := &comparison{sample: s, cosine: o.Cosine, pairs: &Pairs{Vectors: set.Len(), Sample: s.len()}}
	if err := c.sketch(family, o.Encoding); err != nil {
		return nil, err
	}
	return c, c.count(ctx, func(part float64) { o.Progress("comparing pairs of vectors", part) })
}

// part returns the part of a vector of the sample. Copies are in the same part.
func (c *comparison) part(i int) int { return int(c.marks[i] % parts) }

// sketch computes fingerprints of half to four times the hash's width, which counts as 64 bits at
// most. It skips widths that the hash cannot have. The results of a seeded hash are averaged over
// several seeds.
func (c *comparison) sketch(family fphash.Family, encoding fphash.Encoding) error {
	own, keyings := min(64, family.Bits), 1
	if family.Seeded || family.KeyBytes > 0 {
		keyings = 4
	}
	for _, bits := range []int{own / 2, own, 2 * own, 4 * own} {
		widen := fphash.WidenNone
		w := &width{bits: bits, words: (bits + 63) / 64, keyings: keyings}
		if ways := family.Widenings(); bits > family.Bits && len(ways) > 0 {
			widen = ways[len(ways)-1] // the cheapest one
			w.widen = widen.String()
		}
		if _, err := family.Widen(widen, bits); bits < leastWidth || err != nil {
			continue
		}
		for seed := range uint64(keyings) {
			sketcher, err := fphash.New(fphash.Definition{Encoding: encoding, Bits: bits, Widen: widen, Float32: true, Seed: seed}, fphash.WithFamily(family))
			if err != nil {
				return fmt.Errorf("choose: %w", err)
			}
			list, status, err := fphash.AppendBatch(sketcher, nil, nil, c.given.Offsets, c.given.Indices, c.given.Weights)
			if err != nil {
				return fmt.Errorf("choose: %w", err)
			}
			if i := slices.Index(status, fphash.NotFinite); i >= 0 {
				return fmt.Errorf("choose: vector %d: %w", c.rows[i]+1, fphash.NotFinite.Err())
			}
			w.fingerprints = append(w.fingerprints, list)
		}
		for _, t := range w.tallies() {
			*t = newTally(w.keyings, bits)
		}
		c.widths = append(c.widths, w)
	}
	return nil
}

func (w *width) tallies() []*tally { return []*tally{&w.near, &w.far, &w.other} }

// counts holds the counts of one goroutine.
type counts struct {
	related map[uint64]bool // the marks of vectors that have a near-duplicate
	widths  []width         // with their tallies only
}

// count compares each vector of the sample with all earlier ones.
func (c *comparison) count(ctx context.Context, progress func(part float64)) error {
	n := c.len()
	var taken atomic.Int64
	var wg sync.WaitGroup
	var mutex sync.Mutex
	related := map[uint64]bool{}
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			of := counts{related: map[uint64]bool{}, widths: make([]width, len(c.widths))}
			for i, w := range c.widths {
				for _, t := range of.widths[i].tallies() {
					*t = newTally(w.keyings, w.bits)
				}
			}
			dots := make([]float64, n)
			for done := int(taken.Add(1)); done <= n && ctx.Err() == nil; done = int(taken.Add(1)) {
				j := n - done // begin with the vectors that have the most pairs
				c.cosines(dots, j)
				for i, cosine := range dots[:j] {
					c.look(&of, i, j, cosine)
				}
				if done%100 == 0 {
					mutex.Lock()
					progress(1 - float64(j)*float64(j)/(float64(n)*float64(n)))
					mutex.Unlock()
				}
			}
			mutex.Lock()
			defer mutex.Unlock()
			for i, w := range c.widths {
				for at, t := range of.widths[i].tallies() {
					w.tallies()[at].add(*t)
				}
			}
			maps.Copy(related, of.related)
		})
	}
	wg.Wait()
	different := map[uint64]bool{}
	for _, mark := range c.marks {
		different[mark] = true
	}
	w := c.widths[0]
	_, near := w.near.within(w.bits)
	_, other := w.other.within(w.bits)
	p := c.pairs
	p.All, p.Near = uint64(n)*uint64(max(0, n-1))/2, uint64(near)/uint64(w.keyings)
	p.Copies = p.All - p.Near - uint64(other)/uint64(w.keyings)
	p.related, p.Repeated = len(related), n-len(different)
	return context.Cause(ctx)
}

func (c *comparison) look(of *counts, i, j int, cosine float64) {
	if isCopy(cosine) {
		return
	}
	near := isNear(cosine, c.cosine)
	if near {
		of.related[c.marks[i]], of.related[c.marks[j]] = true, true
	}
	far, a, b := near && isFar(cosine, c.cosine), c.part(i), c.part(j)
	for at, w := range c.widths {
		into := of.widths[at].other
		if near {
			into = of.widths[at].near
		}
		for k := range w.keyings {
			d := fphash.Distance(w.fingerprints[k][i*w.words:(i+1)*w.words], w.fingerprints[k][j*w.words:(j+1)*w.words])
			into.count(k, d, a, b)
			if far {
				of.widths[at].far.count(k, d, a, b)
			}
		}
	}
}

const (
	mostVectors = 10_000 // vectors in a sample
	mostWork    = 4e9    // multiplications for all cosines of a sample
)

// sample holds random vectors of a set: as given, and scaled to length 1 with positions instead of
// indices.
type sample struct {
	given datasets.CSR[float32]
	rows  []int    // row of each vector in the set
	marks []uint64 // equal for copies: a hash of the vector, scaled to length 1

	offsets   []int
	positions []int32
	weights   []float64
	lists     [][]entry // of each position
}

type entry struct {
	vector int32
	weight float64
}

func (s *sample) len() int { return len(s.offsets) - 1 }

// newSample draws vectors of positive length: at most the given number, and fewer if computing
// their cosines would take too long.
func newSample(set *datasets.CSR[float32], most int, mostWork float64) (*sample, error) {
	s := &sample{offsets: []int{0}}
	var indices []uint64
	for _, row := range rand.New(rand.NewPCG(0, 0)).Perm(set.Len()) { // the same on all machines
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
		mark := uint64(0)
		for _, f := range features {
			indices, s.weights = append(indices, f.index), append(s.weights, f.weight)
			for _, x := range []uint64{f.index, uint64(math.Float32bits(float32(f.weight)))} {
				high, low := bits.Mul64(mark^x^0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
				mark = high ^ low
			}
		}
		s.marks = append(s.marks, mark)
		s.offsets = append(s.offsets, len(indices))
	}
	s.number(indices)
	if work := s.work(); work > mostWork && s.len() > 2 {
		return newSample(set, max(2, int(float64(s.len())*math.Sqrt(mostWork/work))), mostWork)
	}
	return s, nil
}

type feature struct {
	index  uint64
	weight float64
}

// normalised returns the vector scaled to length 1, with ascending indices and repeated indices
// added up.
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
	for _, f := range features { // squares of float32 do not overflow float64
		square += float64(f.weight * f.weight)
	}
	for i := range features {
		features[i].weight /= math.Sqrt(square)
	}
	return features
}

// number assigns positions to the indices, and lists the vectors of each position.
func (s *sample) number(indices []uint64) {
	known := map[uint64]int32{}
	s.lists = nil
	for v := range s.len() {
		for i := s.offsets[v]; i < s.offsets[v+1]; i++ {
			p, ok := known[indices[i]]
			if !ok {
				p = int32(len(s.lists))
				known[indices[i]], s.lists = p, append(s.lists, nil)
			}
			s.positions, s.lists[p] = append(s.positions, p), append(s.lists[p], entry{int32(v), s.weights[i]})
		}
	}
}

func (s *sample) work() float64 {
	work := 0.0
	for _, list := range s.lists {
		work += float64(len(list)) * float64(len(list)) / 2
	}
	return work
}

// cosines stores the cosine of vectors i and j in dots[i], for all i < j.
func (s *sample) cosines(dots []float64, j int) {
	clear(dots[:j])
	for at := s.offsets[j]; at < s.offsets[j+1]; at++ {
		p, x := s.positions[at], s.weights[at]
		for _, e := range s.lists[p] {
			if int(e.vector) >= j {
				break
			}
			// the conversion prevents a fused multiply-add, which not all machines have
			dots[e.vector] += float64(e.weight * x)
		}
	}
}
