package fphash

import "slices"

// Accumulator builds the fingerprint of one vector feature by feature, and can be merged with
// others, subtracted from, and read at any time.
//
// It gives the same bits as Append on all features in the order in which they came, however they
// were split into calls: with floating-point weights the groups of four of the Grouped order are
// counted from the start or the last Reset over all calls. Reading leaves the open group open.
// Repeated features add up; a feature is taken back by adding it with the opposite weight, which is
// exact for integers. Indices and byte strings may be mixed. By MinHash it keeps minima: features
// that are added again change nothing, and none can be taken back.
//
// An Accumulator is for one goroutine at a time, which the race detector watches. One that
// NewAccumulator has not made panics, but can be read into by UnmarshalBinary. It allocates when it
// is made and when its first byte string comes. It takes 8 bytes a lane, 4 for float32, and some
// 300 bytes: less than 1 KB at 64 bits.
type Accumulator[W Weight] struct {
	sketcher *Sketcher // whose definition and buffers it uses; not one by Local
	sums     lanes     // of the features that are not pending; whole groups only
	pending  pendingFeatures[W]

	guard
	noCopy noCopy
}

// NewAccumulator returns an empty Accumulator of the Sketcher's definition.
func NewAccumulator[W Weight](s *Sketcher) *Accumulator[W] {
	return &Accumulator[W]{sketcher: s.origin(), sums: new(lanes).of(s.definition, kindOf[W]())}
}

// use returns the Sketcher, and shows the race detector that what belongs to a is about to change.
func (a *Accumulator[W]) use() *Sketcher {
	if a == nil || a.sketcher == nil {
		panic(accumulatorNotMade)
	}
	a.entered()
	return a.sketcher
}

// read is use where nothing changes.
func (a *Accumulator[W]) read() *Sketcher {
	if a == nil || a.sketcher == nil {
		panic(accumulatorNotMade)
	}
	a.guard.read()
	return a.sketcher
}

const accumulatorNotMade = "fphash: an Accumulator that NewAccumulator has not made"

// Add adds features, all with the same weight, in order. It fails, with nothing added, if they are
// byte strings and the hash takes none, or by MinHash if the weight is not 1.
//
// Cost: indices that come one by one are hashed some at a time; a byte string is hashed at once.
func Add[F Feature, W Weight](a *Accumulator[W], weight W, features ...F) error {
	s := a.use()
	list := columnOf(features)
	if err := s.checkFeatures(list.kind); err != nil {
		return err
	}
	if s.minhash && weight != 1 {
		return errWeights
	}
	if p := &a.pending; list.len == 1 && p.n < pendingMost-1 && !isBytes(list.kind) {
		p.weights[p.n] = weight
		p.n += copyIndices(p.indices[p.n:], list)
		return nil
	}
	b := borrow(s)
	if weight == 1 && (a.sums.i64 != nil || s.minhash) && list.len >= pendingMost {
		// integers know no order, so these may overtake the pending ones
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

// AddVector adds features with a weight each, in order. It fails, with nothing added, if the
// lengths differ, if the features are byte strings and the hash takes none, or by MinHash, which
// knows no weights.
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

// add adds long vectors to the sums, and gathers short ones.
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

// Append appends the fingerprint of all features so far: Words() words of the Sketcher. It changes
// nothing, so features can follow. Append allocates only if dst has no room.
func (a *Accumulator[W]) Append(dst []uint64) ([]uint64, Status) {
	s := a.read()
	b := borrow(s)
	at := len(dst)
	dst = b.extend(dst)
	status := b.readSums(dst[at:], a.closed(b))
	giveBack(s, b)
	return dst, status
}

// Reset forgets all features.
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
