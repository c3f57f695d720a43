package conventions

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"simhashkit/fphash"
)

// What the Python code of 1e0ng/simhash adds up at once: features whose weights are integers of up
// to cutoff, in batches. It matters where there are floating-point weights too, whose sums depend
// on the order.
const (
	cutoff    = 50
	batchSize = 200
)

// mostExact is the greatest total of integer weights whose sums float64 has exactly.
const mostExact = 1 << 53

// item is a feature's weight as Python takes it.
type item struct {
	weight  float64
	counted bool // it votes at all: an integer below 1 counts for the total only
	batched bool // it waits for its batch
}

// tally is what Python adds up.
type tally struct {
	sums  []float64 // a lane for each bit
	batch []float64
	in    int // features in the batch
	total float64
}

func (t *tally) reset(lanes int) {
	t.sums, t.batch = append(t.sums[:0], make([]float64, lanes)...), append(t.batch[:0], make([]float64, lanes)...)
	t.in, t.total = 0, 0
}

// add adds a feature with the code in big-endian words, the first bits last.
func (t *tally) add(i item, code []uint64) {
	t.total += i.weight
	sums := t.sums
	if i.batched {
		sums = t.batch
	}
	if i.counted {
		for w, word := range code {
			addWhere(sums[64*w:], word, i.weight)
		}
	}
	if i.batched {
		if t.in++; t.in >= batchSize {
			t.closeBatch()
		}
	}
}

// addWhere adds the weight to the lanes whose bit is 1.
func addWhere(sums []float64, word uint64, weight float64) {
	lanes := sums[:64]
	pattern := math.Float64bits(weight)
	for j := range lanes {
		lanes[j] += math.Float64frombits(pattern & -(word >> j & 1))
	}
}

func (t *tally) closeBatch() {
	for j, sum := range t.batch {
		t.sums[j] += sum
	}
	clear(t.batch)
	t.in = 0
}

// append appends the bits whose lanes have more than half of the total.
func (t *tally) append(dst []uint64) ([]uint64, fphash.Status) {
	t.closeBatch()
	half, status, at := t.total/2, fphash.NoInformation, len(dst)
	for j, sum := range t.sums {
		if j%64 == 0 {
			dst = append(dst, 0)
		}
		if sum > half {
			dst[len(dst)-1] |= 1 << (j % 64)
		}
		if sum != half {
			status = fphash.Informative
		}
		if sum-sum != 0 {
			half = math.NaN()
		}
	}
	if half-half != 0 {
		clear(dst[at:])
		status = fphash.NotFinite
	}
	return dst, status
}

// appendHalf appends the fingerprint of Python's numbers. Where all weights are integers above
// 0 it is that of signed votes, which the kernels count.
func appendHalf[F fphash.Feature, W fphash.Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, fphash.Status, error) {
	if !isFloat[W]() && areCounts(weights) {
		return appendSigned(s, dst, features, weights)
	}
	b := s.borrow()
	defer s.buffers.Put(b)
	b.items = b.items[:0]
	for _, w := range weights {
		b.items = append(b.items, itemOf(w, isFloat[W]()))
	}
	b.text, b.ends = b.text[:0], b.ends[:0]
	addText(b, s.convention, features)
	return s.appendItems(dst, b)
}

// areCounts reports whether all weights are above 0, and their sum is such that no system rounds.
func areCounts[W fphash.Weight](weights []W) bool {
	total := uint64(0)
	for _, w := range weights {
		if !(w > 0) || uint64(w) > mostExact {
			return false
		}
		if total += uint64(w); total > mostExact {
			return false
		}
	}
	return true
}

// itemOf returns how a weight counts.
func itemOf[W fphash.Weight](w W, float bool) item {
	if float {
		return item{weight: float64(w), counted: true}
	}
	return item{weight: float64(w), counted: w > 0, batched: w <= cutoff}
}

// appendItems appends the fingerprint of the items of b and the features in its text.
func (s *Sketcher) appendItems(dst []uint64, b *buffers) ([]uint64, fphash.Status, error) {
	n, words := len(b.ends), s.voted
	b.codes = append(b.codes[:0], make([]uint64, n*words)...)
	s.hash.HashBytes(b.codes, b.text, b.ends)
	b.tally.reset(64 * s.words)
	var code [fphash.MaxBits / 64]uint64
	for i, one := range b.items {
		for t := range s.words { // the last bytes of the digest
			code[t] = bits.ReverseBytes64(b.codes[(words-1-t)*n+i])
		}
		b.tally.add(one, code[:s.words])
	}
	dst, status := b.tally.append(dst)
	dst[len(dst)-1] &= ^uint64(0) >> (-uint(s.bits) % 64)
	return dst, status, nil
}

// PythonItem is an item of a list as Simhash of 1e0ng/simhash takes it: a string, or a tuple of a
// string and a weight.
type PythonItem struct {
	Feature string
	// Weight is an int64 (a Python int), a float64 (a Python float), or nil for a string by
	// itself, which has the weight of the last tuple before it, or 1.
	Weight any
}

// AppendPythonList appends the fingerprint of a list in which strings, tuples with ints and tuples
// with floats may be mixed. The Sketcher's weights are to be Python. It fails where Append does,
// and for a string by itself behind a tuple with a float, which Python refuses too.
func AppendPythonList(s *Sketcher, dst []uint64, list []PythonItem) ([]uint64, fphash.Status, error) {
	fail := func(err error) ([]uint64, fphash.Status, error) { return dst, fphash.NoInformation, s.wrap(err) }
	if s.convention.Weights != Python {
		return fail(errors.New("it takes no lists of Python"))
	}
	b := s.borrow()
	defer s.buffers.Put(b)
	b.items, b.text, b.ends = b.items[:0], b.text[:0], b.ends[:0]
	last := any(int64(1))
	for i, element := range list {
		one, err := element.item(last)
		if err != nil {
			return fail(fmt.Errorf("item %d: %w", i+1, err))
		}
		if element.Weight != nil {
			last = element.Weight
		}
		b.items = append(b.items, one)
		b.text = append(b.text, element.Feature...)
		b.ends = append(b.ends, len(b.text))
	}
	return s.appendItems(dst, b)
}

// item returns how the element counts; last is the weight of the last tuple before it.
func (p PythonItem) item(last any) (item, error) {
	switch w := p.Weight.(type) {
	case nil:
		carried, ok := last.(int64)
		if !ok {
			return item{}, fmt.Errorf("a string behind a tuple with the float %v, expected a tuple: Python refuses it", last)
		}
		one := itemOf(carried, false)
		one.batched = true
		return one, nil
	case int64:
		return itemOf(w, false), nil
	case float64:
		return itemOf(w, true), nil
	}
	return item{}, fmt.Errorf("a weight of type %T, expected int64 or float64", p.Weight)
}
