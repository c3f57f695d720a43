package quality

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"

	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/portable"
)

// MinHash and feature hashing estimate a similarity or a product. Their ideal source has a closed
// form for the error of each pair, so it is not simulated.

// bandJaccard is the minimum similarity in the second band of MinHash.
const bandJaccard = 0.8

// mostEffective limits the effective size of a hash whose errors are small by the luck of a
// pattern, in sizes of the sketch: neighbouring indices may never share a bucket.
const mostEffective = 10

// mostNorms limits the number of vectors whose norms are estimated.
const mostNorms = 2 * defaultPairs

// wantedOfSets returns the angle of the characteristic vectors of two sets with the Jaccard
// similarity that pair i should have.
func wantedOfSets(i, uniform, pairs int) float64 {
	j := (float64(i) + 0.5) / float64(uniform)
	if i >= uniform {
		j = bandJaccard + (1-bandJaccard)*(float64(i-uniform)+0.5)/float64(pairs-uniform)
	}
	return portable.Acos(2 * j / (1 + j))
}

// target is something that sketches estimate.
type target struct {
	couple
	exact   float64 // similarity, or the product divided by both norms
	ideal   float64 // mean squared error of the ideal source
	scale   float64 // the product of both norms; 1 for sets
	inFirst bool    // in the band of all pairs, or of products
	inNext  bool    // in the band of similar pairs, or of norms
}

func (w *Workload) targets() (list []target) {
	if w.options.Sketch == terms.MinHash {
		for _, p := range w.pairs {
			both, either := w.set.common(p.a, p.b)
			j := float64(both) / float64(either)
			list = append(list, target{p.couple, j, (1 - j*j) / float64(w.options.Size), 1, p.uniform, j >= bandJaccard})
		}
		return list
	}
	for _, p := range w.pairs {
		if p.uniform {
			list = append(list, w.product(p.a, p.b, true))
		}
	}
	for a := range min(w.given, mostNorms) {
		if t := w.product(a, a, false); t.scale > 0 {
			list = append(list, t)
		}
	}
	return list
}

// product returns the target ⟨x, y⟩ with the variance of feature hashing with independent fair bits
// (Weinberger et al. 2009): Σ_{i≠j} (x_i² y_j² + x_i y_i x_j y_j) / m.
func (w *Workload) product(a, b int, product bool) target {
	dot, xx, yy := w.set.dot(a, b), w.set.dot(a, a), w.set.dot(b, b)
	scale := math.Sqrt(float64(xx * yy))
	variance := float64(xx*yy) + float64(dot*dot) - 2*w.set.fourth(a, b)
	return target{couple{a, b}, dot / scale, variance / (float64(w.options.Size) * float64(scale*scale)), scale, product, !product}
}

// shared yields the places in v.positions of the features that two vectors share.
func (v *vectors) shared(a, b int) iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		i, iEnd, j, jEnd := v.offsets[a], v.offsets[a+1], v.offsets[b], v.offsets[b+1]
		for i < iEnd && j < jEnd {
			switch p, q := v.positions[i], v.positions[j]; {
			case p < q:
				i++
			case p > q:
				j++
			default:
				if !yield(i, j) {
					return
				}
				i++
				j++
			}
		}
	}
}

// common returns the sizes of the intersection and of the union of the features of two vectors.
func (v *vectors) common(a, b int) (both, either int) {
	for range v.shared(a, b) {
		both++
	}
	return both, v.offsets[a+1] - v.offsets[a] + v.offsets[b+1] - v.offsets[b] - both
}

// fourth returns Σ x_i² y_i².
func (v *vectors) fourth(a, b int) (sum float64) {
	for i, j := range v.shared(a, b) {
		product := float64(v.weights[i] * v.weights[j])
		sum += float64(product * product)
	}
	return sum
}

// estimator stores the errors of the estimates of all targets in a keying, given the codes of the
// positions.
type estimator func(dst []float64, codes []uint64) error

// measureEstimates measures a hash for MinHash or feature hashing.
func (w *Workload) measureEstimates(h Hash, workers int) (*Result, error) {
	targets := w.targets()
	x := newEstimates(w.options.Keyings, len(targets))
	err := w.eachKeying(workers, func() (func(int) error, error) {
		code, t := w.coderOf(h), &table{make([]uint64, w.keys*wordsOf(h.Bits)), w.keys}
		estimate, err := w.estimator(t, h.Bits, targets)
		return func(k int) error {
			if err := code(t.codes, k); err != nil {
				return err
			}
			return estimate(x.of(k), t.codes[:t.n])
		}, err
	})
	if err != nil {
		return nil, fmt.Errorf("quality: hash %s: %w", h.Name, err)
	}
	codes := make([]uint64, w.keys*wordsOf(h.Bits))
	if err := w.coderOf(h)(codes, 0); err != nil {
		return nil, fmt.Errorf("quality: hash %s: %w", h.Name, err)
	}
	r := w.result(h, w.options.Size, codes)
	r.All = w.estimatesBand(x, targets, func(t target) bool { return t.inFirst })
	r.Cos90 = w.estimatesBand(x, targets, func(t target) bool { return t.inNext })
	r.Verdict = judge(r)
	return r, nil
}

func (w *Workload) estimator(t *table, width int, targets []target) (estimator, error) {
	if w.options.Sketch == terms.Hashing {
		if least := bits.Len(uint(w.options.Size)); width < least {
			return nil, fmt.Errorf("%d buckets and a sign need %d bits, and the codes have %d", w.options.Size, least, width)
		}
		return w.buckets(targets, uint(min(width, 64)-1)), nil
	}
	if width < 64 {
		return nil, fmt.Errorf("MinHash needs codes of 64 bits, and these have %d", width)
	}
	family := fphash.Family{Name: "table", Bits: 64, Integer: true, New: func(fphash.Key) (fphash.Hash, error) { return &table{t.codes[:t.n], t.n}, nil }}
	s, err := fphash.New(fphash.Definition{Bits: w.options.Size, Kind: fphash.MinHash}, fphash.WithFamily(family), fphash.WithWorkers(1))
	var fingerprints []uint64
	var status []fphash.Status
	return func(dst []float64, _ []uint64) (err error) {
		fingerprints, status, err = sketchAll(unitSketch(&w.set), w.rows, s, fingerprints, status)
		for i, t := range targets {
			d := distance(fingerprints, wordsOf(w.options.Size), t.couple)
			dst[i] = 1 - 2*float64(d)/float64(w.options.Size) - t.exact
		}
		return err
	}, err
}

// buckets estimates products by feature hashing: the low bits of a code select the bucket, and the
// bit with the number sign is the sign.
func (w *Workload) buckets(targets []target, sign uint) estimator {
	v, mask := &w.set, uint64(w.options.Size-1)
	sums := make([]float64, w.options.Size) // of the vector x of the current target; otherwise 0
	return func(dst []float64, codes []uint64) error {
		each := func(a int, visit func(bucket uint64, signed float64)) {
			for i := v.offsets[a]; i < v.offsets[a+1]; i++ {
				code, x := codes[v.positions[i]], v.weights[i]
				if code>>sign&1 == 0 {
					x = -x
				}
				visit(code&mask, x)
			}
		}
		for i, t := range targets {
			each(t.a, func(bucket uint64, signed float64) { sums[bucket] += signed })
			sum := 0.0
			if t.a == t.b {
				each(t.a, func(bucket uint64, _ float64) { // each bucket counts once
					sum += float64(sums[bucket] * sums[bucket])
					sums[bucket] = 0
				})
			} else {
				each(t.b, func(bucket uint64, signed float64) { sum += float64(signed * sums[bucket]) })
				each(t.a, func(bucket uint64, _ float64) { sums[bucket] = 0 })
			}
			dst[i] = sum/t.scale - t.exact
		}
		return nil
	}
}

// estimatesBand compares the errors of a hash with the closed form over the targets for which in
// returns true.
func (w *Workload) estimatesBand(x *estimates, targets []target, in func(target) bool) Band {
	var members []int
	ideal := 0.0
	for i, t := range targets {
		if in(t) {
			members = append(members, i)
			ideal += t.ideal
		}
	}
	b := Band{Pairs: len(members)}
	if len(members) < leastPairs || x.keyings < leastToResample || ideal == 0 {
		return b
	}
	n := float64(len(members))
	ideal /= n
	e, squares := x.summarise(members)
	b.Defined, b.Hash, b.Ideal = true, e, Errors{Variance: ideal, MSE: ideal, RMSE: math.Sqrt(ideal)}
	size := float64(w.options.Size)
	if e.MSE == 0 {
		b.Effective = Interval{mostEffective * size, mostEffective * size, mostEffective * size}
		return b
	}
	b.VarianceRatio = e.Variance / ideal
	least := e.MSE * 1e-9 // a keying without errors has no logarithm
	for k := range squares {
		squares[k] = max(squares[k], least)
	}
	// the part of the standard error that comes from the choice of the targets
	fromPairs := 0.0
	for _, i := range members {
		ofTarget := make([]float64, x.keyings)
		x.addSquares(ofTarget, i, 1)
		mse := summarise(ofTarget, nil)
		d := mse.mean/e.MSE - targets[i].ideal/ideal
		fromPairs += float64(d*d) - mse.error2/float64(e.MSE*e.MSE)
	}
	fromPairs = max(0, fromPairs) / float64(n*n)
	r := newRandom(w.options.Seed, forResampling, uint64(len(members)))
	b.Effective = ratioInterval(slices.Repeat([]float64{ideal}, x.keyings), squares, fromPairs, r).times(size)
	for _, x := range []*float64{&b.Effective.Value, &b.Effective.Low, &b.Effective.High} {
		*x = min(*x, mostEffective*size)
	}
	return b
}

// project returns the signs of the dot products of all vectors with hyperplanes.
func (w *Workload) project(entries []float32, width int) []uint64 {
	words := wordsOf(width)
	fingerprints := make([]uint64, w.set.len()*words)
	sums := make([]float64, width)
	for i := range w.set.len() {
		clear(sums)
		for at := w.set.offsets[i]; at < w.set.offsets[i+1]; at++ {
			row := entries[int(w.set.positions[at])*width:][:width]
			for j, entry := range row {
				sums[j] += float64(w.set.weights[at] * float64(entry))
			}
		}
		for j, sum := range sums {
			if sum > 0 {
				fingerprints[i*words+j/64] |= 1 << (j % 64)
			}
		}
	}
	return fingerprints
}
