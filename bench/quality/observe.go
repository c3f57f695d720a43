package quality

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"simhashkit/fphash"
)

// observation is what one source of codes, a hash or the ideal, gives on a workload.
type observation struct {
	bits      int
	distances []uint16       // of pair p in keying k at [k·pairs + p]
	random    []distribution // of each keying
	constant  []uint32       // for each bit, in how many keyings all keys have the same
	// the codes of the first keying, or as many as the tests of single bits take, one after the
	// other
	first []uint64
}

// distribution is the mean and the variance of the distances of the random couples.
type distribution struct{ mean, variance float64 }

// coder stores the codes of all positions in a keying, words as in Codes. Each is used by one
// goroutine.
type coder func(codes []uint64, keying int) error

// observe lets the source's codes sketch the workload in every keying. The keyings are shared out
// among that many workers, 0 for one a processor.
func (w *Workload) observe(bits, workers int, source func() coder) (*observation, error) {
	keyings := w.options.Keyings
	o := &observation{
		bits: bits, distances: make([]uint16, keyings*len(w.pairs)), random: make([]distribution, keyings), constant: make([]uint32, 64*wordsOf(bits)),
		first: make([]uint64, min(keyings, testKeyings(w.keys))*w.keys*wordsOf(bits)),
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, keyings)
	var taken atomic.Int64
	var wg sync.WaitGroup
	// guards what is summed over the keyings; sums of integers do not depend on the order
	var mutex sync.Mutex
	errs := make([]error, workers)
	for i := range workers {
		wg.Go(func() {
			ob := &observer{workload: w, observation: o, code: source()}
			if errs[i] = ob.start(); errs[i] != nil {
				return
			}
			for {
				k := int(taken.Add(1)) - 1
				if k >= keyings {
					break
				}
				if errs[i] = ob.keying(k); errs[i] != nil {
					taken.Store(int64(keyings)) // the others need not go on
					return
				}
			}
			mutex.Lock()
			defer mutex.Unlock()
			ob.merge()
		})
	}
	wg.Wait()
	return o, errors.Join(errs...)
}

// observer is what one goroutine needs.
type observer struct {
	*observation
	workload     *Workload
	code         coder
	table        *table
	sketcher     *fphash.Sketcher
	fingerprints []uint64
	status       []fphash.Status
	fixed        []uint32
}

func (o *observer) start() (err error) {
	o.table, o.sketcher, err = newTable(o.workload.keys, o.bits)
	o.fixed = make([]uint32, len(o.constant))
	return err
}

func (o *observer) keying(k int) error {
	if err := o.code(o.table.codes, k); err != nil {
		return err
	}
	if err := o.checkWidth(); err != nil {
		return err
	}
	if n := len(o.table.codes); (k+1)*n <= len(o.first) {
		copy(o.first[k*n:], o.table.codes)
	}
	countConstant(o.fixed, o.table)
	if o.workload.turned {
		o.table.turn(o.workload.signs(k), o.bits)
	}
	var err error
	o.fingerprints, o.status, err = sketchAll(o.workload.sketch, o.workload.rows, o.sketcher, o.fingerprints, o.status)
	if err != nil {
		return err
	}
	words := wordsOf(o.bits)
	row := o.distances[k*len(o.workload.pairs):]
	for i, p := range o.workload.pairs {
		row[i] = uint16(distance(o.fingerprints, words, p.couple))
	}
	o.random[k] = spread(o.fingerprints, words, o.workload.random)
	return nil
}

// checkWidth returns an error if a code has bits above the width, which would otherwise be ignored
// silently.
func (o *observer) checkWidth() error {
	above := ^(^uint64(0) >> (-uint(o.bits) % 64))
	if above == 0 {
		return nil
	}
	for _, word := range o.table.codes[len(o.table.codes)-o.table.n:] {
		if word&above != 0 {
			return fmt.Errorf("quality: the hash gave a code that is wider than its %d bits: last word %#x", o.bits, word)
		}
	}
	return nil
}

func (o *observer) merge() {
	for i, n := range o.fixed {
		o.constant[i] += n
	}
}

func distance(fingerprints []uint64, words int, c couple) int {
	return fphash.Distance(fingerprints[c.a*words:(c.a+1)*words], fingerprints[c.b*words:(c.b+1)*words])
}

// spread returns the mean and the variance of the couples' distances.
func spread(fingerprints []uint64, words int, couples []couple) distribution {
	n, sum, squares := int64(len(couples)), int64(0), int64(0)
	if n == 0 {
		return distribution{}
	}
	for _, c := range couples {
		d := int64(distance(fingerprints, words, c))
		sum += d
		squares += d * d
	}
	return distribution{float64(sum) / float64(n), float64(n*squares-sum*sum) / float64(n*n)}
}

// countConstant adds 1 for each bit that is the same in all codes.
func countConstant(counts []uint32, t *table) {
	for word := range len(t.codes) / t.n {
		and, or := ^uint64(0), uint64(0)
		for _, code := range t.codes[word*t.n : (word+1)*t.n] {
			and &= code
			or |= code
		}
		for j := range 64 {
			counts[64*word+j] += uint32((^(and ^ or) >> j) & 1)
		}
	}
}
