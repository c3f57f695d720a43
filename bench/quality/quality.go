// Package quality measures how good a hash is for simhash: how many ideal bits its bits are worth
// on given indices, and which defects it has.
//
//	o := quality.WorkloadOptions{Pattern: "consecutive", Weights: "signed"}
//	w, err := quality.Generate(o)
//	h, err := quality.OfFamily(family, fphash.Dec, 64, fphash.WidenNone)
//	r, err := w.Measure(h, 0)
//	fmt.Println(r.Verdict, r.All.Effective.Value) // weak 7.2
//
// A [Workload] holds everything except the hash: vectors, pairs, their exact angles, and the
// results of the ideal source, which are computed once for each width. [Generate] makes one with a
// pattern of indices and a kind of weights; [FromVectors] makes one of real vectors. A [Hash] is a
// family of package fphash with an encoding ([OfFamily]) or over strings ([OfListedKeys]), or your
// own function of the index ([OfFunc]). For your own function of byte strings, fphash.FromFunc
// makes a family. [Workload.Measure] returns a [Result].
//
// Hash test suites count collisions and flipped bits. A sketch needs something else: the distance d
// of two fingerprints of f bits gives π·d/f as an estimate of the angle between the vectors. The
// estimate should be as accurate as f independent fair bits allow. So hashes are compared with an
// ideal source, ChaCha8 keyed by keying and index, on the same vectors with the same weights and
// tie rule. METHODOLOGY.md has the definitions, formulas and sources.
//
// A result has the quality of the estimator over all angles and at cosine 0.9 and above ([Band]),
// the quality of the bits ([BitQuality]), and a [Judgement]: good, weak or undecided.
//
// The options determine all results: they are the same on every machine to at least 8 digits, and
// byte-identical across kernels and worker counts. No value is NaN or infinite; flags mark
// undefined values.
package quality

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
)

// Measure measures a hash on the workload with a number of workers (0: one per processor), which
// does not change the result. It fails if New or a call of the hash returns an error, if a code is
// wider than the hash's Bits, or if a hash of encoded indices gets a pattern of strings. A bad hash
// is not an error: the result has a Verdict.
func (w *Workload) Measure(h Hash, workers int) (*Result, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	if h.Encoding != "" && terms.OfStrings(w.options.Pattern) {
		return nil, fmt.Errorf("quality: the pattern %s has strings: use OfListedKeys for %s", w.options.Pattern, h.Name)
	}
	if w.options.Sketch != terms.SimHash {
		return w.measureEstimates(h, workers)
	}
	ideal, err := w.ideal(h.Bits, workers)
	if err != nil {
		return nil, err
	}
	observed, err := w.observe(h.Bits, workers, func() coder { return w.coderOf(h) }, h.Entries)
	if err != nil {
		return nil, fmt.Errorf("quality: hash %s: %w", h.Name, err)
	}
	r := w.result(h, h.Bits, observed.first)
	r.Bit.testBits(observed, w.keys, w.options.Keyings)
	r.All = w.band(observed, ideal, func(p pair) bool { return p.uniform })
	r.Cos90 = w.band(observed, ideal, func(p pair) bool { return p.cosine >= bandCosine })
	r.Verdict = judge(r)
	return r, nil
}

// result returns a result without bands. codes begins with those of the first keying.
func (w *Workload) result(h Hash, size int, codes []uint64) *Result {
	o := w.options
	return &Result{
		Hash: h.Name, Encoding: h.Encoding, Pattern: o.Pattern, Weights: o.Weights, Sketch: o.Sketch, Bits: size, Keyings: o.Keyings, Keys: w.keys,
		Bit: BitQuality{Codes: tooFewCodes(codes[:w.keys*wordsOf(h.Bits)], w.keys, h.Bits)},
	}
}

func (w *Workload) seedOf(h Hash, keying int) uint64 {
	if !h.Seeded {
		return 0
	}
	return w.seed(keying)
}

func (w *Workload) seed(keying int) uint64 {
	return newRandom(w.options.Seed, forSeeds, uint64(keying)).Uint64()
}

// coderOf returns a coder that uses the hash.
func (w *Workload) coderOf(h Hash) coder {
	keys := make([]uint64, w.keys)
	var function Codes // for the last seed; a hash without seeds has one function for all keyings
	return func(codes []uint64, keying int) error {
		if function == nil || h.Seeded {
			var err error
			if function, err = h.New(w.seedOf(h, keying)); err != nil {
				return err
			}
		}
		w.indices(keys, keying, h.Seeded)
		return function(codes, keys)
	}
}

// ideal returns the observation of the ideal source. It is computed once per width.
func (w *Workload) ideal(bits, workers int) (*observation, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if o := w.ideals[bits]; o != nil {
		return o, nil
	}
	o, err := w.observe(bits, workers, func() coder { return w.idealCoder(bits, 0) }, nil)
	if err == nil {
		o.first, o.constant = nil, nil // its bits are not tested
		w.ideals[bits] = o
	}
	return o, err
}

// idealCoder returns a coder for codes of independent fair bits, with one ChaCha8 stream per
// keying.
func (w *Workload) idealCoder(bits int, instance uint64) coder {
	return func(codes []uint64, keying int) error {
		newRandom(w.options.Seed, forIdeal, instance<<32|uint64(keying)).fill(codes)
		mask := ^uint64(0) >> (-uint(bits) % 64)
		last := codes[len(codes)-w.keys:]
		for i := range last {
			last[i] &= mask
		}
		return nil
	}
}

// observation holds the measurements of one source of codes, a hash or the ideal, on a workload.
type observation struct {
	bits     int
	angles   *estimates // of the pairs
	constant []uint32   // in how many keyings a bit is the same for all keys
	first    []uint64   // codes of the keyings whose bits are tested
}

// coder stores the codes of all positions in a keying, in the layout of Codes. It is not safe for
// concurrent use.
type coder func(codes []uint64, keying int) error

// observe sketches the workload in every keying, with codes from coders that source returns, one
// for each worker. If entries is not nil, it returns the entries of a keying's hyperplanes.
func (w *Workload) observe(bits, workers int, source func() coder, entries func(seed uint64, n, bits int) []float32) (*observation, error) {
	keyings, words := w.options.Keyings, wordsOf(bits)
	o := &observation{
		bits: bits, angles: newEstimates(keyings, len(w.pairs)), constant: make([]uint32, 64*words),
		first: make([]uint64, min(keyings, testKeyings(w.keys))*w.keys*words),
	}
	above := ^(^uint64(0) >> (-uint(bits) % 64)) // unused bits of the last word
	var mutex sync.Mutex                         // guards o.constant
	return o, w.eachKeying(workers, func() (func(int) error, error) {
		code := source()
		t, sketcher, err := newTable(w.keys, bits, true)
		var fingerprints []uint64
		var status []fphash.Status
		return func(k int) error {
			if err := code(t.codes, k); err != nil {
				return err
			}
			for _, word := range t.codes[len(t.codes)-t.n:] {
				if word&above != 0 {
					return fmt.Errorf("quality: the hash returned a code that is wider than its %d bits: last word %#x", bits, word)
				}
			}
			if n := len(t.codes); (k+1)*n <= len(o.first) {
				copy(o.first[k*n:], t.codes)
			}
			mutex.Lock()
			countConstant(o.constant, t)
			mutex.Unlock()
			if w.options.Weights == terms.Signed { // each keying flips signs of weights
				t.turn(w.signs(k), bits)
			}
			if entries != nil {
				fingerprints = w.project(entries(w.seed(k), t.n, bits), bits)
			} else if fingerprints, status, err = sketchAll(w.sketch, w.rows, sketcher, fingerprints, status); err != nil {
				return err
			}
			errors := o.angles.of(k)
			for i, p := range w.pairs {
				errors[i] = float64(float64(distance(fingerprints, words, p.couple))*(math.Pi/float64(bits))) - p.angle
			}
			return nil
		}, err
	})
}

// eachKeying calls a function that start returns for each keying, with a number of workers (0: one
// per processor), each of which calls start once.
func (w *Workload) eachKeying(workers int, start func() (func(keying int) error, error)) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	keyings := w.options.Keyings
	var taken atomic.Int64
	var group errgroup.Group
	for range min(workers, keyings) {
		group.Go(func() error {
			each, err := start()
			for k := int(taken.Add(1)); err == nil && k <= keyings; k = int(taken.Add(1)) {
				err = each(k - 1)
			}
			if err != nil {
				taken.Store(int64(keyings)) // stop the other workers
			}
			return err
		})
	}
	return group.Wait()
}

func distance(fingerprints []uint64, words int, c couple) int {
	return fphash.Distance(fingerprints[c.a*words:(c.a+1)*words], fingerprints[c.b*words:(c.b+1)*words])
}

// countConstant adds 1 to the count of each bit that is the same in all codes.
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

// Every index of a workload occurs in many vectors, so each keying hashes all indices once, in one
// batch. The vectors have positions instead of indices, and are sketched with a hash that looks up
// the codes of positions in a table. Package fphash computes the rest, with its kernels, order of
// summation and tie rule.

// sketchFunc appends the fingerprints of all vectors of a workload.
type sketchFunc func(s *fphash.Sketcher, dst []uint64, status []fphash.Status) ([]uint64, []fphash.Status, error)

// table is a hash of positions: word t of the code of position i is codes[t·n+i].
type table struct {
	codes []uint64
	n     int
}

func (t *table) HashUint64s(dst, keys []uint64) {
	for from := 0; from < len(t.codes); from += t.n {
		word := t.codes[from : from+t.n]
		for i, k := range keys {
			dst[i] = word[k]
		}
		dst = dst[len(keys):]
	}
}

// turn complements the codes of the positions in signs, which has the same effect as weights with
// the opposite sign.
func (t *table) turn(signs []bool, bits int) {
	for from := 0; from < len(t.codes); from += t.n {
		mask := ^uint64(0)
		if from+t.n == len(t.codes) {
			mask >>= -uint(bits) % 64
		}
		word := t.codes[from : from+t.n]
		for i, sign := range signs {
			if sign {
				word[i] ^= mask
			}
		}
	}
}

// newTable returns a table of codes and their Sketcher, for float32 weights if single, or float64.
func newTable(n, bits int, single bool) (*table, *fphash.Sketcher, error) {
	t := &table{make([]uint64, n*wordsOf(bits)), n}
	family := fphash.Family{Name: "table", Bits: bits, Integer: true, New: func(fphash.Key) (fphash.Hash, error) { return t, nil }}
	s, err := fphash.New(fphash.Definition{Bits: bits, Float32: single}, fphash.WithFamily(family), fphash.WithWorkers(1))
	if err != nil {
		return nil, nil, fmt.Errorf("quality: %w", err)
	}
	return t, s, nil
}

func unitSketch(v *vectors) sketchFunc {
	return func(s *fphash.Sketcher, dst []uint64, status []fphash.Status) ([]uint64, []fphash.Status, error) {
		return fphash.AppendBatchUnit(s, dst, status, v.offsets, v.positions)
	}
}

func weightedSketch[W datasets.Weight](v *vectors, weights []W) sketchFunc {
	return func(s *fphash.Sketcher, dst []uint64, status []fphash.Status) ([]uint64, []fphash.Status, error) {
		return fphash.AppendBatch(s, dst, status, v.offsets, v.positions, weights)
	}
}

func converted[W datasets.Weight](weights []float64) []W {
	out := make([]W, 0, len(weights))
	for _, x := range weights {
		out = append(out, W(x))
	}
	return out
}

// sketchAll stores the fingerprints of all vectors in dst. If rows is not nil, errors report the
// row of a vector instead of its number.
func sketchAll(sketch sketchFunc, rows []int, s *fphash.Sketcher, dst []uint64, status []fphash.Status) ([]uint64, []fphash.Status, error) {
	dst, status, err := sketch(s, dst[:0], status[:0])
	if err != nil {
		return dst, status, fmt.Errorf("quality: %w", err)
	}
	if i := slices.Index(status, fphash.NotFinite); i >= 0 {
		if rows != nil {
			i = rows[i]
		}
		return dst, status, fmt.Errorf("quality: vector %d: %w", i+1, fphash.NotFinite.Err())
	}
	return dst, status, nil
}
