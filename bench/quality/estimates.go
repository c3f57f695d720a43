package quality

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

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
const mostNorms = 2 * DefaultPairs

// DefaultSize is the size of a sketch: 64 bits, or 1,024 buckets.
func DefaultSize(sketch string) int {
	if sketch == terms.Hashing {
		return 1 << 10
	}
	return 64
}

// HashingSizes are the numbers of buckets at which hashes are judged.
var HashingSizes = []int{1 << 10, 1 << 18}

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

// common returns the sizes of the intersection and of the union of the features of two vectors.
func (v *vectors) common(a, b int) (both, either int) {
	x, y := v.row(a), v.row(b)
	either = len(x) + len(y)
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] < y[j]:
			i++
		case x[i] > y[j]:
			j++
		default:
			both++
			i++
			j++
		}
	}
	return both, either - both
}

func (v *vectors) row(a int) []uint64 { return v.positions[v.offsets[a]:v.offsets[a+1]] }

// fourth returns Σ x_i² y_i².
func (v *vectors) fourth(a, b int) (sum float64) {
	x, y := v.row(a), v.row(b)
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] < y[j]:
			i++
		case x[i] > y[j]:
			j++
		default:
			product := float64(v.weights[v.offsets[a]+i] * v.weights[v.offsets[b]+j])
			sum += float64(product * product)
			i++
			j++
		}
	}
	return sum
}

// estimator estimates all targets of a keying from the codes of the positions.
type estimator interface {
	estimate(dst []float64, codes []uint64) error
}

// measureEstimates measures a hash for MinHash or feature hashing.
func (w *Workload) measureEstimates(h Hash, workers int) (*Result, error) {
	targets := w.targets()
	errors, err := w.estimateAll(h, targets, workers)
	if err != nil {
		return nil, fmt.Errorf("quality: hash %s: %w", h.Name, err)
	}
	r := &Result{
		Hash: h.Name, Encoding: h.Encoding, Pattern: string(w.options.Pattern), Weights: string(w.options.Weights), Sketch: w.options.Sketch, Bits: w.options.Size,
		Keyings: w.options.Keyings, Keys: w.keys,
		All:   w.estimatesBand(errors, targets, func(t target) bool { return t.inFirst }),
		Cos90: w.estimatesBand(errors, targets, func(t target) bool { return t.inNext }),
	}
	codes := make([]uint64, w.keys*wordsOf(h.Bits))
	if err := w.coderOf(h)(codes, 0); err != nil {
		return nil, fmt.Errorf("quality: hash %s: %w", h.Name, err)
	}
	r.Bit.Codes = tooFewCodes(codes, w.keys, h.Bits)
	r.Verdict = judge(r)
	return r, nil
}

// estimateAll returns the error of target t in keying k at k·len(targets) + t.
func (w *Workload) estimateAll(h Hash, targets []target, workers int) ([]float64, error) {
	keyings := w.options.Keyings
	errors := make([]float64, keyings*len(targets))
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var taken atomic.Int64
	var group errgroup.Group
	for range min(workers, keyings) {
		group.Go(func() error {
			code := w.coderOf(h)
			t := &table{make([]uint64, w.keys*wordsOf(h.Bits)), w.keys}
			e, err := w.estimator(t, h.Bits, targets)
			if err != nil {
				return err
			}
			for k := int(taken.Add(1)); k <= keyings; k = int(taken.Add(1)) {
				if err := code(t.codes, k-1); err != nil {
					taken.Store(int64(keyings)) // stop the other workers
					return err
				}
				if err := e.estimate(errors[(k-1)*len(targets):k*len(targets)], t.codes[:t.n]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return errors, group.Wait()
}

func (w *Workload) estimator(t *table, width int, targets []target) (estimator, error) {
	if w.options.Sketch == terms.Hashing {
		if least := bits.Len(uint(w.options.Size)); width < least {
			return nil, fmt.Errorf("%d buckets and a sign need %d bits, and the codes have %d", w.options.Size, least, width)
		}
		return &buckets{w, targets, make([]float64, w.options.Size), uint(min(width, 64) - 1)}, nil
	}
	if width < 64 {
		return nil, fmt.Errorf("MinHash needs codes of 64 bits, and these have %d", width)
	}
	family := fphash.Family{Name: "table", Bits: 64, Integer: true, New: func(fphash.Key) (fphash.Hash, error) { return &table{t.codes[:t.n], t.n}, nil }}
	s, err := fphash.New(fphash.Definition{Bits: w.options.Size, Kind: fphash.MinHash}, fphash.WithFamily(family), fphash.WithWorkers(1))
	return &minima{workload: w, targets: targets, sketcher: s}, err
}

// minima estimates Jaccard similarities by the MinHash of package fphash.
type minima struct {
	workload     *Workload
	targets      []target
	sketcher     *fphash.Sketcher
	fingerprints []uint64
	status       []fphash.Status
}

func (m *minima) estimate(dst []float64, _ []uint64) (err error) {
	m.fingerprints, m.status, err = sketchAll(unitSketch(&m.workload.set), m.workload.rows, m.sketcher, m.fingerprints, m.status)
	words := wordsOf(m.workload.options.Size)
	for i, t := range m.targets {
		d := distance(m.fingerprints, words, t.couple)
		dst[i] = 1 - 2*float64(d)/float64(m.workload.options.Size) - t.exact
	}
	return err
}

// buckets estimates products by feature hashing: the low bits of a code select the bucket, and the
// highest one is the sign.
type buckets struct {
	workload *Workload
	targets  []target
	sums     []float64 // of the vector x of the current target; otherwise 0
	sign     uint
}

func (b *buckets) estimate(dst []float64, codes []uint64) error {
	v, mask := &b.workload.set, uint64(len(b.sums)-1)
	each := func(a int, visit func(bucket uint64, signed float64)) {
		for i := v.offsets[a]; i < v.offsets[a+1]; i++ {
			code, x := codes[v.positions[i]], v.weights[i]
			if code>>b.sign&1 == 0 {
				x = -x
			}
			visit(code&mask, x)
		}
	}
	for i, t := range b.targets {
		each(t.a, func(bucket uint64, signed float64) { b.sums[bucket] += signed })
		sum := 0.0
		each(t.b, func(bucket uint64, signed float64) {
			if t.a != t.b {
				sum += float64(signed * b.sums[bucket])
			}
		})
		if t.a == t.b {
			each(t.a, func(bucket uint64, _ float64) { // each bucket counts once
				sum += float64(b.sums[bucket] * b.sums[bucket])
				b.sums[bucket] = 0
			})
		}
		each(t.a, func(bucket uint64, _ float64) { b.sums[bucket] = 0 })
		dst[i] = sum/t.scale - t.exact
	}
	return nil
}

// estimatesBand compares the errors of a hash with the closed form over the targets for which in
// returns true.
func (w *Workload) estimatesBand(errors []float64, targets []target, in func(target) bool) Band {
	keyings, pairs := w.options.Keyings, 0
	squares, ideal := make([]float64, keyings), make([]float64, keyings)
	var e, of Errors
	var shares []float64 // the mean squared error of each target
	var noise float64
	for i, t := range targets {
		if !in(t) {
			continue
		}
		pairs++
		sum, sumOfSquares, sumOfFourths := 0.0, 0.0, 0.0
		for k := range keyings {
			x := errors[k*len(targets)+i]
			square := float64(x * x)
			sum += x
			sumOfSquares += square
			sumOfFourths += float64(square * square)
			squares[k] += square
		}
		mean, mse := sum/float64(keyings), sumOfSquares/float64(keyings)
		e.Bias += mean
		e.Bias2 += float64(mean * mean)
		e.MSE += mse
		of.MSE += t.ideal
		shares = append(shares, mse, t.ideal)
		noise += (sumOfFourths/float64(keyings) - float64(mse*mse)) / float64(keyings-1)
	}
	b := Band{Pairs: pairs}
	if pairs < leastPairs || keyings < leastToResample || of.MSE == 0 {
		return b
	}
	n := float64(pairs)
	for _, x := range []*float64{&e.Bias, &e.Bias2, &e.MSE, &of.MSE} {
		*x /= n
	}
	e.Variance, of.Variance = e.MSE-e.Bias2, of.MSE
	e.RMSE, of.RMSE = math.Sqrt(e.MSE), math.Sqrt(of.MSE)
	b.Defined, b.Hash, b.Ideal = true, e, of
	size := float64(w.options.Size)
	if e.MSE == 0 {
		b.Effective = Interval{mostEffective * size, mostEffective * size, mostEffective * size}
		return b
	}
	b.VarianceRatio = e.Variance / of.Variance
	least := e.MSE * 1e-9 // a keying without errors has no logarithm
	for k := range squares {
		squares[k], ideal[k] = max(squares[k]/n, least), of.MSE
	}
	// the part of the standard error that comes from the choice of the targets
	fromPairs := 0.0
	for i := 0; i < len(shares); i += 2 {
		d := shares[i]/e.MSE - shares[i+1]/of.MSE
		fromPairs += float64(d * d)
	}
	fromPairs = max(0, fromPairs-noise/float64(e.MSE*e.MSE)) / float64(n*n)
	r := newRandom(w.options.Seed, forResampling, uint64(pairs))
	b.Effective = ratioInterval(ideal, squares, fromPairs, r).times(size)
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
