package fphash

import (
	"fmt"
	"slices"
)

// Accumulator builds the fingerprint of one vector feature by feature. You can merge Accumulators,
// subtract one from another, and read the fingerprint at any time.
//
// It gives the same bits as Append on all features in the same order, no matter how the features
// were split into calls. With floating-point weights, the groups of four of the Grouped order are
// counted over all calls since the start or the last Reset. Reading does not close an incomplete
// group. Repeated features add up. To remove a feature, add it with the opposite weight, which is
// exact for integers. Indices and byte strings may be mixed. With MinHash, an Accumulator keeps
// minima: repeating a feature changes nothing, and features cannot be removed.
//
// An Accumulator must not be used by several goroutines at once; the race detector reports misuse.
// The methods of a zero Accumulator panic, except UnmarshalBinary, which initializes it.
// NewAccumulator allocates, and so does adding the first byte string. An Accumulator needs 8 bytes
// per lane (4 for float32) and about 300 more bytes: less than 1 KB at 64 bits.
type Accumulator[W Weight] struct {
	sketcher *Sketcher // supplies the definition and the buffers; never one made by Local
	sums     lanes     // sums of the features that are not pending; whole groups only
	pending  pendingFeatures[W]

	guard
	noCopy noCopy
}

// NewAccumulator returns an empty Accumulator with the Sketcher's definition.
func NewAccumulator[W Weight](s *Sketcher) *Accumulator[W] {
	return &Accumulator[W]{sketcher: s.origin(), sums: new(lanes).of(s.definition, kindOf[W]())}
}

// use returns the Sketcher. It tells the race detector that a is about to change.
func (a *Accumulator[W]) use() *Sketcher {
	if a == nil || a.sketcher == nil {
		panic(accumulatorNotMade)
	}
	a.entered()
	return a.sketcher
}

// read is use for calls that do not change a.
func (a *Accumulator[W]) read() *Sketcher {
	if a == nil || a.sketcher == nil {
		panic(accumulatorNotMade)
	}
	a.guard.read()
	return a.sketcher
}

const accumulatorNotMade = "fphash: Accumulator was not made by NewAccumulator"

// Add adds features in order, all with the same weight. It returns an error and adds nothing if the
// features are byte strings and the hash takes integers only, if W is another floating-point type
// than the Sketcher's, or if the sketch is MinHash and the weight is not 1.
//
// Cost: Add collects single indices and hashes them together, but hashes each byte string
// immediately.
func Add[F Feature, W Weight](a *Accumulator[W], weight W, features ...F) error {
	s := a.use()
	list := columnOf(features)
	if err := s.checkFeatures(list.kind); err != nil {
		return err
	}
	if err := s.checkWeights(kindOf[W]()); err != nil && !(s.minhash && weight == 1) {
		return err
	}
	if p := &a.pending; list.len == 1 && p.n < pendingMost-1 && !isBytes(list.kind) {
		p.weights[p.n] = weight
		p.n += copyIndices(p.indices[p.n:], list)
		return nil
	}
	b := borrow(s)
	if weight == 1 && (a.sums.i64 != nil || s.minhash) && list.len >= pendingMost {
		// The order of integer weights does not matter, so these features may be added before the
		// pending ones.
		b.add(a.sums, list, units(list.len))
		list.len = 0
	}
	var weights [pendingMost]W
	for i := range weights {
		weights[i] = weight
	}
	for at := 0; at < list.len; at += pendingMost {
		n := min(list.len-at, pendingMost)
		a.add(b, list.slice(at, at+n), weights[:n])
	}
	giveBack(s, b)
	return nil
}

// AddVector adds features in order, each with its weight. It returns an error and adds nothing if
// the lengths differ, if the features are byte strings and the hash takes integers only, if W is
// another floating-point type than the Sketcher's, or if the sketch is MinHash, which has no
// weights.
func AddVector[F Feature, W Weight](a *Accumulator[W], features []F, weights []W) error {
	s := a.use()
	if len(features) != len(weights) {
		return errLengths(len(features), len(weights))
	}
	list := columnOf(features)
	if err := s.checkVector(list, columnOf(weights)); err != nil {
		return err
	}
	b := borrow(s)
	a.add(b, list, weights)
	giveBack(s, b)
	return nil
}

// add adds long vectors directly to the sums and collects short ones as pending features.
func (a *Accumulator[W]) add(b *buffers, features column, weights []W) {
	for p := &a.pending; features.len > 0; {
		n := 0
		if p.n == 0 && features.len >= pendingMost {
			n = features.len &^ 3 // whole groups
			b.add(a.sums, features.slice(0, n), columnOf(weights[:n]))
		} else {
			n = min(features.len, pendingMost-p.n)
			p.put(b, features.slice(0, n), weights[:n])
			if p.n == pendingMost {
				a.flush(b)
			}
		}
		features, weights = features.slice(n, features.len), weights[n:]
	}
}

// Append appends the fingerprint of all features so far: Words() words of the Sketcher. It does not
// change a, so you can add more features later. Append allocates only if dst has too little
// capacity.
func (a *Accumulator[W]) Append(dst []uint64) ([]uint64, Status) {
	s := a.read()
	b := borrow(s)
	at := len(dst)
	dst = b.extend(dst)
	status := b.readSums(dst[at:], a.closed(b))
	giveBack(s, b)
	return dst, status
}

// Reset removes all features.
func (a *Accumulator[W]) Reset() {
	a.use()
	a.sums.clear()
	a.pending.n, a.pending.hashed = 0, 0
}

// Clone returns an independent Accumulator in the same state.
func (a *Accumulator[W]) Clone() *Accumulator[W] {
	c := NewAccumulator[W](a.read())
	c.sums.copy(a.sums)
	c.pending = a.pending
	c.pending.codes = slices.Clone(a.pending.codes)
	return c
}

// noCopy makes go vet report copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// pendingMost is the maximum number of pending features. It is a multiple of 4, so that no group is
// split, and small, because users keep millions of Accumulators.
const pendingMost = 16

// pendingFeatures are features of an Accumulator that are not yet in its sums. Indices are hashed
// later, several in one call. Keeping a byte string would require a copy, so it is hashed
// immediately, together with the indices before it.
type pendingFeatures[W Weight] struct {
	n      int // number of features
	hashed int // number of features at the start that have codes
	// word t of the code of feature i is at [t·pendingMost+i]; nil without byte strings
	codes   []uint64
	indices [pendingMost]uint64 // of the features that have no codes yet
	weights [pendingMost]W
}

// put makes the features pending. The caller ensures that they fit.
func (p *pendingFeatures[W]) put(b *buffers, features column, weights []W) {
	copy(p.weights[p.n:], weights)
	if !isBytes(features.kind) {
		p.n += copyIndices(p.indices[p.n:], features)
		return
	}
	if p.codes == nil {
		p.codes = make([]uint64, b.usedCodeWords()*pendingMost)
	}
	if waiting := p.indices[p.hashed:p.n]; len(waiting) > 0 {
		p.settle(b.encode(columnOf(waiting)), len(waiting))
	}
	p.n += features.len
	p.settle(b.encode(features), features.len)
}

// settle stores the codes of the next n features without codes.
func (p *pendingFeatures[W]) settle(codes []uint64, n int) {
	for t := range len(p.codes) / pendingMost {
		copy(p.codes[t*pendingMost+p.hashed:], codes[t*n:(t+1)*n])
	}
	p.hashed += n
}

// flush adds the pending features to the sums, and so closes the open group, if any.
func (a *Accumulator[W]) flush(b *buffers) {
	a.pending.addTo(a.sums, b)
	a.pending.n, a.pending.hashed = 0, 0
}

// closed returns the sums including the pending features, without changing a. If there are pending
// features, the returned sums are in the buffers.
func (a *Accumulator[W]) closed(b *buffers) lanes {
	if a.pending.n == 0 {
		return a.sums
	}
	reading := b.lanes.of(b.definition, kindOf[W]())
	reading.copy(a.sums)
	a.pending.addTo(reading, b)
	return reading
}

// addTo adds the features of p to the lanes, without changing p.
func (p *pendingFeatures[W]) addTo(l lanes, b *buffers) {
	if p.hashed == 0 {
		b.add(l, columnOf(p.indices[:p.n]), columnOf(p.weights[:p.n]))
		return
	}
	n := p.n - p.hashed
	rest, weights := b.encode(columnOf(p.indices[p.hashed:p.n])), b.native(columnOf(p.weights[:p.n]))
	for t := range b.usedCodeWords() {
		var codes [pendingMost]uint64
		copy(codes[:], p.codes[t*pendingMost:][:p.hashed])
		copy(codes[p.hashed:], rest[t*n:(t+1)*n])
		b.addWord(l, t, codes[:p.n], weights)
	}
}

// Merge adds the features of b to a. It does not change b.
//
// With integer weights, the result is the same as for one pass over the features of both. With
// floating-point weights, Merge closes the open groups of both and adds the lanes. This rounds
// differently, so bits whose lane is close to zero may differ. With MinHash, the result is that of
// the union. Merge fails with ErrMismatch, and changes nothing, if a and b differ in hash,
// widening, encoding, width, order, seed or key. It compares hashes by name, including user-defined
// hashes. a and b may be the same Accumulator.
func (a *Accumulator[W]) Merge(b *Accumulator[W]) error {
	return a.combine(b, 1)
}

// Subtract removes the features of b from a. It does not change b. With integer weights, it exactly
// undoes Merge; with floating-point weights, it rounds. With MinHash it returns an error, because
// minima do not record earlier values. Otherwise it works like Merge.
func (a *Accumulator[W]) Subtract(b *Accumulator[W]) error {
	return a.combine(b, -1)
}

// combine adds sign times the sums of b, where sign is 1 or -1.
func (a *Accumulator[W]) combine(b *Accumulator[W], sign int) error {
	s, other := a.use(), b.read()
	if what := s.differs(other.definition); what != "" {
		return fmt.Errorf("%w: %v and %v: not the same %s", ErrMismatch, s, other, what)
	}
	if sign < 0 && s.minhash {
		return errSubtract
	}
	own := borrow(s)
	a.flush(own)
	a.sums.add(b.closed(own), sign)
	giveBack(s, own)
	return nil
}
