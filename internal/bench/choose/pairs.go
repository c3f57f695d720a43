package choose

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"simhashkit/asm/hamming"
	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

const (
	leastPairs = 30    // near-duplicates needed to measure precision
	leastWidth = 8     // bits of the narrowest fingerprints that are tried
	rounding   = 1e-12 // tolerance, because cosines such as 0.9 occur exactly
	copyAngle  = 1e-6
	bins       = 500       // of the histogram of near-duplicates' cosines
	farBins    = bins / 10 // the bins with the lowest cosines
)

func isNear(cosine, from float64) bool { return cosine >= from-rounding }

func isCopy(cosine float64) bool { return cosine > math.Cos(copyAngle) }

// Pairs describes the pairs that thresholds are judged by. Copies are not included unless stated.
type Pairs struct {
	Vectors int    `json:"vectors"`        // vectors in the set
	Sample  int    `json:"sample"`         // vectors in the sample
	All     uint64 `json:"-"`              // pairs of the sample, including copies
	Near    uint64 `json:"nearDuplicates"` // near-duplicates in the sample
	Copies  uint64 `json:"copies"`
	// edited copies that are near-duplicates of their originals
	Edits int `json:"edits"`
	// half of the near-duplicates and edits are at cosines from Low to High
	Low  float64 `json:"halfFromCosine"`
	High float64 `json:"halfToCosine"`

	related int          // number of vectors that have a near-duplicate
	cosines [bins]uint64 // histogram of near-duplicates and edits, from Options.Cosine to 1
}

// width holds the fingerprints of one width for each keying, and the number of pairs at each
// distance, added up over keyings.
type width struct {
	bits, words, keyings int
	widen                string
	given, edited        [][]uint64 // fingerprints by keying
	near, other, edits   []uint64   // number of pairs by distance
	far                  []uint64   // near and edits in the first farBins
}

type comparison struct {
	*sample
	pairs  *Pairs
	cosine float64
	widths []*width
}

// compare compares all pairs of a sample of the set, and vectors with their edited copies.
func compare(ctx context.Context, set *datasets.CSR[float32], h hash, o Options) (*comparison, error) {
	s, err := newSample(set, mostVectors, mostWork)
	if err != nil {
		return nil, err
	}
	e, err := s.newEdits(o.Cosine)
	if err != nil {
		return nil, err
	}
	c := &comparison{sample: s, cosine: o.Cosine, pairs: &Pairs{Vectors: set.Len(), Sample: s.len(), Edits: len(e.of)}}
	if err := c.sketch(h, e); err != nil {
		return nil, err
	}
	if err := c.count(ctx, func(part float64) { o.Progress("comparing pairs of vectors", part) }); err != nil {
		return nil, err
	}
	for i, original := range e.of {
		bin := c.bin(e.cosines[i])
		c.pairs.cosines[bin]++
		for _, w := range c.widths {
			for k := range w.keyings {
				d := distance(w.given[k], original, w.edited[k], i, w.words)
				w.edits[d]++
				if bin < farBins {
					w.far[d]++
				}
			}
		}
	}
	c.pairs.Low, c.pairs.High = c.quantile(0.25), c.quantile(0.75)
	return c, nil
}

// sketch computes fingerprints of half to four times the hash's width, which counts as 64 bits at
// most. It skips widths that the hash cannot have.
func (c *comparison) sketch(h hash, e *edits) error {
	own := min(64, h.family.Bits)
	h = h.widenable(4 * own)
	for _, bits := range []int{own / 2, own, 2 * own, 4 * own} {
		if _, err := h.sketcher(bits); bits < leastWidth || err != nil {
			continue
		}
		w := &width{bits: bits, near: make([]uint64, bits+1), other: make([]uint64, bits+1), edits: make([]uint64, bits+1), far: make([]uint64, bits+1)}
		if bits > h.family.Bits {
			w.widen = h.widen.String()
		}
		for _, keyed := range h.keyed() {
			sketcher, err := keyed.sketcher(bits)
			if err != nil {
				return err
			}
			given, err := fingerprints(sketcher, &c.given, c.rows)
			if err != nil {
				return err
			}
			edited, err := fingerprints(sketcher, &e.copies, nil)
			if err != nil {
				return err
			}
			w.words, w.keyings = sketcher.Words(), w.keyings+1
			w.given, w.edited = append(w.given, given), append(w.edited, edited)
		}
		c.widths = append(c.widths, w)
	}
	return nil
}

func distance(a []uint64, i int, b []uint64, j, words int) int {
	return hamming.Distance(a[i*words:(i+1)*words], b[j*words:(j+1)*words])
}

func (c *comparison) bin(cosine float64) int {
	return max(0, min(bins-1, int((cosine-c.cosine)/(1-c.cosine)*bins)))
}

// quantile returns the cosine below which the given share of near-duplicates and edits lies.
func (c *comparison) quantile(part float64) float64 {
	all, below := float64(c.pairs.Near)+float64(c.pairs.Edits), 0.0
	for i, n := range c.pairs.cosines {
		if below += float64(n); below >= part*all {
			return c.cosine + (1-c.cosine)*(float64(i)+0.5)/bins
		}
	}
	return 1
}

// counts holds the counts of one goroutine. They are integers, so their sum does not depend on the
// order.
type counts struct {
	copies, near        uint64
	cosines             [bins]uint64
	related             []bool
	nears, fars, others [][]uint64 // [width][distance]
}

// count compares each vector of the sample with all earlier ones.
func (c *comparison) count(ctx context.Context, progress func(part float64)) error {
	n := c.len()
	var taken atomic.Int64
	var wg sync.WaitGroup
	var mutex sync.Mutex
	related := make([]bool, n)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			of := counts{related: make([]bool, n)}
			for _, w := range c.widths {
				for _, list := range []*[][]uint64{&of.nears, &of.fars, &of.others} {
					*list = append(*list, make([]uint64, w.bits+1))
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
			c.add(&of, related)
		})
	}
	wg.Wait()
	c.pairs.All = uint64(n) * uint64(max(0, n-1)) / 2
	for _, is := range related {
		if is {
			c.pairs.related++
		}
	}
	return context.Cause(ctx)
}

func (c *comparison) look(of *counts, i, j int, cosine float64) {
	if isCopy(cosine) {
		of.copies++
		return
	}
	by, far := of.others, false
	if isNear(cosine, c.cosine) {
		bin := c.bin(cosine)
		by, far = of.nears, bin < farBins
		of.near++
		of.cosines[bin]++
		of.related[i], of.related[j] = true, true
	}
	for at, w := range c.widths {
		for k := range w.keyings {
			d := distance(w.given[k], i, w.given[k], j, w.words)
			by[at][d]++
			if far {
				of.fars[at][d]++
			}
		}
	}
}

func (c *comparison) add(of *counts, related []bool) {
	sum := func(to, from []uint64) {
		for i, n := range from {
			to[i] += n
		}
	}
	c.pairs.Copies, c.pairs.Near = c.pairs.Copies+of.copies, c.pairs.Near+of.near
	sum(c.pairs.cosines[:], of.cosines[:])
	for at, w := range c.widths {
		sum(w.near, of.nears[at])
		sum(w.far, of.fars[at])
		sum(w.other, of.others[at])
	}
	for i, is := range of.related {
		related[i] = related[i] || is
	}
}

const (
	mostVectors = 10_000 // vectors in a sample
	mostWork    = 4e9    // multiplications for all cosines of a sample
	editCount   = 2_000  // edited copies
)

// sample holds random vectors of a set: as given, and scaled to length 1 with positions instead of
// indices.
type sample struct {
	given datasets.CSR[float32]
	rows  []int // row of each vector in the set

	offsets   []int
	positions []int32
	weights   []float64
	lists     []int // position p has the entries listed[lists[p]:lists[p+1]]
	listed    []entry
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

// shuffled returns the numbers below n in a random order that is the same on all machines.
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

func (s *sample) work() float64 {
	work := 0.0
	for p := range len(s.lists) - 1 {
		n := float64(s.lists[p+1] - s.lists[p])
		work += n * n / 2
	}
	return work
}

// cosines stores the cosine of vectors i and j in dots[i], for all i < j.
func (s *sample) cosines(dots []float64, j int) {
	clear(dots[:j])
	for at := s.offsets[j]; at < s.offsets[j+1]; at++ {
		p, x := s.positions[at], s.weights[at]
		for _, e := range s.listed[s.lists[p]:s.lists[p+1]] {
			if int(e.vector) >= j {
				break
			}
			// the conversion prevents a fused multiply-add, which not all machines have
			dots[e.vector] += float64(e.weight * x)
		}
	}
}

type edits struct {
	copies  datasets.CSR[float32]
	of      []int
	cosines []float64
}

// newEdits makes edited copies at the rates of quality.EditRates and at two rates that suit the
// cosine. It keeps those that are near-duplicates.
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

type hash struct {
	family   fphash.Family
	encoding fphash.Encoding
	seed     uint64
	widen    fphash.Widen // for widths greater than the family's
}

func (h hash) sketcher(bits int) (*fphash.Sketcher, error) {
	if bits <= h.family.Bits {
		h.widen = fphash.WidenNone
	}
	return fphash.New(fphash.WithFamily(h.family), fphash.WithEncoding(h.encoding), fphash.WithSeed(h.seed), fphash.WithBits(bits), fphash.WithWiden(h.widen), fphash.WithLanes(fphash.Float32))
}

// widenable returns the hash with the cheapest widening for the given width, or h if there is none.
func (h hash) widenable(bits int) hash {
	for _, way := range []fphash.Widen{fphash.WidenMix, fphash.WidenCounter, fphash.WidenReseed} {
		wider := h
		wider.widen = way
		if _, err := wider.sketcher(bits); err == nil {
			return wider
		}
	}
	return h
}

// keyed returns the hash with each of the keyings over which results are averaged.
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

// fingerprints returns the fingerprints of all vectors of a set. Errors report the row of a vector.
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
