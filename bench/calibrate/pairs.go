package calibrate

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"simhashkit/asm/hamming"
	"simhashkit/datasets"
)

// groups of vectors, of which the jackknife leaves out one at a time.
const groups = 32

// column is the fingerprints of all vectors of the sample at one width, under one keying.
type column struct {
	bits, words  int
	others       int // columns that follow with other keyings
	from         int // of its distances 0 to bits among those of all columns
	fingerprints []uint64
}

// of returns the fingerprint of vector i.
func (c *column) of(i int) []uint64 { return c.fingerprints[i*c.words : (i+1)*c.words] }

func (c *column) distance(i, j int) int {
	if c.words == 1 {
		return hamming.Distance(c.fingerprints[i:i+1], c.fingerprints[j:j+1])
	}
	return hamming.Distance(c.of(i), c.of(j))
}

// counts is what is counted over pairs; copies are counted in bin 0 and nowhere else. All but sums
// are whole numbers, which add up the same in any order.
type counts struct {
	bins       []uint64       // pairs by cosine
	sums       []float64      // of the cosines in a bin
	histograms [][]uint64     // [band][distance], in the main column
	touch      [groups]byKind // pairs that the group has a part in
	total      byKind         // all pairs
	least      [][]uint16     // [column][vector]: the distance to its nearest
	near       []bool         // [vector]: it has a near-duplicate
}

// The kinds of pairs.
const (
	other = iota
	duplicate
	kinds
)

// byKind counts pairs by kind and by distance, those of all columns one after the other.
type byKind [kinds][]uint64

// survey is what pairs are looked at with.
type survey[W datasets.Weight] struct {
	*sample[W]
	*scale
	columns []column
	sets    bool // similarities are Jaccard's
	main    int  // the column of the wanted width
	nearTo  int  // the last bin of near-duplicates
}

func (s *survey[W]) distances() int {
	return s.columns[len(s.columns)-1].from + s.columns[len(s.columns)-1].bits + 1
}

func (s *survey[W]) newCounts() *counts {
	c := &counts{bins: make([]uint64, len(s.lows)), sums: make([]float64, len(s.lows)), near: make([]bool, s.len())}
	for range s.edges {
		c.histograms = append(c.histograms, make([]uint64, s.columns[s.main].bits+1))
	}
	for kind := range kinds {
		c.total[kind] = make([]uint64, s.distances())
		for g := range c.touch {
			c.touch[g][kind] = make([]uint64, s.distances())
		}
	}
	for range s.columns {
		least := make([]uint16, s.len())
		for i := range least {
			least[i] = math.MaxUint16
		}
		c.least = append(c.least, least)
	}
	return c
}

// count looks at all pairs. The work is cut into groups of vectors, each with all vectors before
// them, which workers take from the last one on.
func (s *survey[W]) count(ctx context.Context, workers int, progress func(part float64)) (*counts, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var taken, pairs atomic.Int64
	var wg sync.WaitGroup
	var mutex sync.Mutex
	result := s.newCounts()
	var sums [groups][]float64
	for range min(workers, groups) {
		wg.Go(func() {
			w := &worker[W]{survey: s, counts: s.newCounts(), dots: make([]float64, s.len())}
			for kind := range kinds {
				for g := range w.block {
					w.block[g][kind] = make([]uint32, s.distances())
				}
			}
			for g := groups - int(taken.Add(1)); g >= 0 && ctx.Err() == nil; g = groups - int(taken.Add(1)) {
				clear(w.sums)
				w.group(ctx, g)
				sums[g] = append([]float64(nil), w.sums...)
				from, to := s.span(g)
				done := pairs.Add((int64(to)*int64(to-1) - int64(from)*int64(from-1)) / 2)
				mutex.Lock()
				progress(float64(done) / pairsOf(s.len()))
				mutex.Unlock()
			}
			mutex.Lock()
			defer mutex.Unlock()
			result.merge(w.counts)
		})
	}
	wg.Wait()
	for _, list := range sums {
		for bin, x := range list {
			result.sums[bin] += x
		}
	}
	return result, context.Cause(ctx)
}

// pairsOf returns the number of pairs of n vectors.
func pairsOf(n int) float64 { return float64(n) * float64(n-1) / 2 }

// span returns the vectors [from, to) of a group.
func (s *survey[W]) span(g int) (from, to int) {
	return g * s.len() / groups, (g + 1) * s.len() / groups
}

// worker is what one goroutine needs.
type worker[W datasets.Weight] struct {
	*survey[W]
	*counts
	dots  []float64
	block [groups][kinds][]uint32 // pairs of the group at hand with each other group
}

// group looks at the pairs of the group's vectors with those before them.
func (w *worker[W]) group(ctx context.Context, g int) {
	from, to := w.span(g)
	zero := w.bin(0)
	for j := from; j < to && ctx.Err() == nil; j++ {
		dots := w.dots[:j]
		clear(dots)
		w.cosines(dots, j)
		if w.sets {
			w.jaccards(dots, j)
		}
		for h := range g + 1 {
			first, last := w.span(h)
			for i := first; i < min(last, j); i++ {
				bin := zero
				if dots[i] != 0 {
					bin = w.bin(dots[i])
				}
				w.pair(i, j, bin, dots[i], &w.block[h])
			}
		}
	}
	for h := range g + 1 {
		for kind := range kinds {
			for d, n := range w.block[h][kind] {
				w.total[kind][d] += uint64(n)
				w.touch[h][kind][d] += uint64(n)
				if h != g {
					w.touch[g][kind][d] += uint64(n)
				}
			}
			clear(w.block[h][kind])
		}
	}
}

func (w *worker[W]) pair(i, j, bin int, cosine float64, block *[kinds][]uint32) {
	w.bins[bin]++
	if bin == 0 {
		return
	}
	w.sums[bin] += cosine
	kind := other
	if bin <= w.nearTo {
		kind = duplicate
		w.near[i], w.near[j] = true, true
	}
	for c := range w.columns {
		d := w.columns[c].distance(i, j)
		block[kind][w.columns[c].from+d]++
		least := w.least[c]
		least[i], least[j] = min(least[i], uint16(d)), min(least[j], uint16(d))
		if c == w.main {
			w.histograms[w.bandOf[bin]][d]++
		}
	}
}

// merge adds what another worker has counted; the sums are added in order elsewhere.
func (c *counts) merge(d *counts) {
	add := func(to, from []uint64) {
		for i, n := range from {
			to[i] += n
		}
	}
	add(c.bins, d.bins)
	for band := range c.histograms {
		add(c.histograms[band], d.histograms[band])
	}
	for kind := range kinds {
		add(c.total[kind], d.total[kind])
		for g := range c.touch {
			add(c.touch[g][kind], d.touch[g][kind])
		}
	}
	for col := range c.least {
		for i, d := range d.least[col] {
			c.least[col][i] = min(c.least[col][i], d)
		}
	}
	for i, near := range d.near {
		c.near[i] = c.near[i] || near
	}
}
