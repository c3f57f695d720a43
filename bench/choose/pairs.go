package choose

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"simhashkit/asm/hamming"
	"simhashkit/datasets"
)

const (
	leastPairs = 30 // near-duplicates, for a statement about them
	leastWidth = 8  // of fingerprints that are tried
	// rounding is what a cosine that is computed is off at most: cosines such as 0.9 come up
	// exactly, and would else lie on either side
	rounding  = 1e-12
	copyAngle = 1e-6
	bins      = 500       // of cosines of near-duplicates
	farBins   = bins / 10 // those of the least cosines
)

func isNear(cosine, from float64) bool { return cosine >= from-rounding }

func isCopy(cosine float64) bool { return cosine > math.Cos(copyAngle) }

// Pairs describes the pairs that thresholds are judged by. Copies are not included unless stated.
type Pairs struct {
	Vectors int    // in the set
	Sample  int    // of them
	All     uint64 // pairs of the sample, copies among them
	Copies  uint64
	Near    uint64 // near-duplicates of the sample
	Edits   int    // edited copies that are near-duplicates of what they were made from
	Low     float64
	High    float64 // half of the near-duplicates and edits are at cosines from Low to High

	related int          // vectors that have a near-duplicate
	cosines [bins]uint64 // of near-duplicates and edits, from the least cosine to 1
}

// width is the fingerprints of one width, each keying apart, and how many pairs are at each
// distance: sums over the keyings.
type width struct {
	bits, words, keyings int
	widen                string
	given, edited        [][]uint64 // [keying]
	near, other, edits   []uint64   // pairs by distance
	far                  []uint64   // those of near and edits that are in the bins of the least cosines
}

// comparison is the result of comparing the pairs of a sample.
type comparison struct {
	*sample
	pairs  *Pairs
	cosine float64
	widths []*width
}

// compare compares all pairs of a sample of the set, and vectors with edited copies of them.
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

// sketch makes the fingerprints: half of the hash's own width up to 64 bits, that one, and two and
// four times as many bits, as far as the hash can be widened.
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

// bin is that of the cosine of near-duplicates.
func (c *comparison) bin(cosine float64) int {
	return max(0, min(bins-1, int((cosine-c.cosine)/(1-c.cosine)*bins)))
}

// quantile is the cosine that a part of the near-duplicates and edits lie below.
func (c *comparison) quantile(part float64) float64 {
	all, below := float64(c.pairs.Near)+float64(c.pairs.Edits), 0.0
	for i, n := range c.pairs.cosines {
		if below += float64(n); below >= part*all {
			return c.cosine + (1-c.cosine)*(float64(i)+0.5)/bins
		}
	}
	return 1
}

// counts are the counts of one goroutine: whole numbers, whose sum does not depend on the order.
type counts struct {
	copies, near uint64
	cosines      [bins]uint64
	related      []bool
	// [width][distance]
	nears, fars, others [][]uint64
}

// count looks at all pairs of the sample, vector by vector, each with those before it.
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
				j := n - done // those with the most pairs come first
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
