package fphash

import (
	"fmt"
	"math"
	"math/bits"
)

// Estimator estimates the cosine between a vector, the query, and vectors of which fingerprints are
// stored. [Query] and [Accumulator.Query] set the query; the zero Estimator has none,
// and panics.
//
// A distance counts the bits that differ, all alike. The query still has its sums V, which say what
// each bit is worth: with S the sum of |V[j]| over the bits that differ from the query's signs, the
// estimate is
//
//	1 - √(2π)·S / (√f·‖V‖)
//
// It is that of vectors with many features of which none dominates, and from a cosine of 0.9 on its
// error is a half to two thirds of Cosine's; METHODOLOGY.md has figures, and says where it fails.
// The estimate is 1 where no bit differs, and is not clamped: it goes down to 1-√(2π), about -1.5,
// so that means over many vectors are not shifted. Every machine computes the same bits.
//
// Sources: Li, Sign-full random projections, AAAI 2019; as asymmetric distances, Gordo et al.,
// TPAMI 2014; the use of |V[j]| to see what is unsure goes back to the query-directed multi-probe
// of Lv et al., VLDB 2007.
//
// An Estimator takes 16 KB for each 64 bits. Cosine and AppendCosines are safe for concurrent use
// as long as no other query is set.
type Estimator struct {
	signs  []uint64          // of the query
	tables [][8][256]float64 // of a word, for each byte: what the bits cost that differ
	equal  float64           // the estimate where no bit differs
}

const noQuery = "fphash: an Estimator without a query"

// Query makes the vector the query of e, in place of the one that there is; fingerprints must be
// of the Sketcher's definition, which is an error by MinHash.
//
// Status and error are Append's. After an error the query is the one before; of a query that has
// no information, or whose sums are not finite, all estimates are 0. Query allocates for the first
// query of a width, and when byte strings are longer than before. Cost: a sketch, and some
// microseconds for each 64 bits.
func Query[F Feature, W Weight](s *Sketcher, e *Estimator, features []F, weights []W) (Status, error) {
	if len(features) != len(weights) {
		return NoInformation, errLengths(len(features), len(weights))
	}
	list := columnOf(features)
	b := borrow(s)
	status, err := NoInformation, b.checkVector(list, columnOf(weights))
	if err == nil {
		status = e.set(b.definition, b.sums(list, columnOf(weights)))
	}
	giveBack(s, b)
	return status, err
}

// Query makes the vector of all features so far the query of e, as the function of that name does.
// It changes nothing in a. By MinHash, which has no sums, it is an error.
func (a *Accumulator[W]) Query(e *Estimator) (Status, error) {
	s := a.read()
	if s.minhash {
		return NoInformation, errCosine
	}
	b := borrow(s)
	status := e.set(b.definition, a.closed(b))
	giveBack(s, b)
	return status, nil
}

// Cosine returns the estimate for a stored fingerprint. It panics if that has not as many words as
// those of the query's definition.
func (e *Estimator) Cosine(fingerprint []uint64) float64 {
	if e.signs == nil {
		panic(noQuery)
	}
	sameWords(len(fingerprint), len(e.signs))
	return e.cosine(fingerprint)
}

// AppendCosines appends the estimates for fingerprints that lie one after the other, as Append and
// AppendBatch leave them. It panics if the last of them is cut off.
func (e *Estimator) AppendCosines(dst []float64, fingerprints []uint64) []float64 {
	if e.signs == nil {
		panic(noQuery)
	}
	words := len(e.signs)
	if len(fingerprints)%words != 0 {
		panic(fmt.Sprintf("fphash: %d words are no fingerprints of %d", len(fingerprints), words))
	}
	for at := 0; at < len(fingerprints); at += words {
		dst = append(dst, e.cosine(fingerprints[at:at+words]))
	}
	return dst
}

func (e *Estimator) cosine(fingerprint []uint64) float64 {
	loss := 0.0
	for word, signs := range e.signs {
		differ, table := fingerprint[word]^signs, &e.tables[word]
		low := (table[0][byte(differ)] + table[1][byte(differ>>8)]) + (table[2][byte(differ>>16)] + table[3][byte(differ>>24)])
		high := (table[4][byte(differ>>32)] + table[5][byte(differ>>40)]) + (table[6][byte(differ>>48)] + table[7][byte(differ>>56)])
		loss += low + high
	}
	return e.equal - loss
}

// set takes the query from the sums. Products are converted, which keeps them from being fused with
// a sum on machines that can.
func (e *Estimator) set(d *definition, sums lanes) Status {
	if len(e.signs) != d.words {
		e.signs, e.tables = make([]uint64, d.words), make([][8][256]float64, d.words)
	}
	status := d.readSums(e.signs, sums)
	e.equal = 1
	if status != Informative {
		e.equal = 0
		clear(e.tables)
		return status
	}
	scale, unit := sums.norm(d)
	for word := range e.tables {
		var costs [64]float64
		sums.copyTo(&costs, word)
		for j, v := range costs {
			costs[j] = float64(unit * math.Abs(math.Ldexp(v, scale)))
		}
		for i := range e.tables[word] {
			fillTable(&e.tables[word][i], costs[8*i:8*i+8])
		}
	}
	return status
}

// fillTable stores for each byte the sum of the costs of its bits.
func fillTable(table *[256]float64, costs []float64) {
	for x := 1; x < len(table); x++ {
		table[x] = table[x&(x-1)] + costs[bits.TrailingZeros8(uint8(x))]
	}
}

// norm returns √(2π)/(√f·‖V‖) of the lanes times 2^scale, a scale at which squares neither overflow
// nor vanish. Some lane is not zero, and all are finite.
func (l lanes) norm(d *definition) (scale int, unit float64) {
	greatest, squares := 0.0, 0.0
	for word := range d.words {
		var values [64]float64
		l.copyTo(&values, word)
		for _, v := range values[:min(64, d.bits-64*word)] {
			greatest = max(greatest, math.Abs(v))
		}
	}
	_, exponent := math.Frexp(greatest)
	for word := range d.words {
		var values [64]float64
		l.copyTo(&values, word)
		for _, v := range values[:min(64, d.bits-64*word)] {
			v = math.Ldexp(v, -exponent)
			squares += float64(v * v)
		}
	}
	return -exponent, math.Sqrt(2 * math.Pi / float64(float64(d.bits)*squares))
}

// copyTo stores the lanes of a word as float64.
func (l lanes) copyTo(dst *[64]float64, word int) {
	switch {
	case l.f32 != nil:
		for j, v := range &l.f32[word] {
			dst[j] = float64(v)
		}
	case l.f64 != nil:
		*dst = l.f64[word]
	default:
		for j, v := range &l.i64[word] {
			dst[j] = float64(v)
		}
	}
}
