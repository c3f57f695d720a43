package fphash

import "slices"

// pendingFeatures is how many single features are gathered before they are hashed and added together. It is a multiple of 4, so that groups never
// straddle.
const pendingFeatures = 64

// Accumulator builds the fingerprint of one vector feature by feature, and can be merged with others, subtracted from, and read at any time.
//
// It gives the same bits as Append on all features in the order in which they came, however they were split into calls: with floating-point weights
// the groups of four of the Grouped order are counted from the start or the last Reset over all calls. Reading leaves the open group open. Repeated
// indices add up; a feature is taken back by adding it with the opposite weight, which is exact for integers.
//
// An Accumulator is not safe for concurrent use. It allocates when it is made and never after. Its memory depends on the width alone: about 3 KB at
// 64 bits.
type Accumulator[W Weight] struct {
	coder
	sums    lanes // of the features that are not pending; whole groups only
	reading lanes // scratch

	pending int // how many features are pending
	indices [pendingFeatures]uint64
	weights [pendingFeatures]W
}

// NewAccumulator returns an empty Accumulator of the Sketcher's definition. It is independent of s afterwards.
func NewAccumulator[W Weight](s *Sketcher) *Accumulator[W] { return newAccumulator[W](s.definition) }

func newAccumulator[W Weight](d *definition) *Accumulator[W] {
	return &Accumulator[W]{coder: newCoder(d, pendingFeatures), sums: newLanes[W](d.words), reading: newLanes[W](d.words)}
}

// Add adds one feature.
func (a *Accumulator[W]) Add(index uint64, weight W) {
	a.indices[a.pending], a.weights[a.pending] = index, weight
	if a.pending++; a.pending == pendingFeatures {
		a.flush()
	}
}

// AddVector adds features, in order. It fails, with nothing added, if the lengths differ.
func (a *Accumulator[W]) AddVector(indices []uint64, weights []W) error {
	if len(indices) != len(weights) {
		return errLengths(len(indices), len(weights))
	}
	addVector(a, indices, weights)
	return nil
}

// AddVector32 is AddVector for 32-bit indices.
func (a *Accumulator[W]) AddVector32(indices []uint32, weights []W) error {
	if len(indices) != len(weights) {
		return errLengths(len(indices), len(weights))
	}
	addVector(a, indices, weights)
	return nil
}

// AddUnit adds features of weight 1, in order.
func (a *Accumulator[W]) AddUnit(indices []uint64) {
	if a.sums.i64 != nil && len(indices) >= pendingFeatures { // integers know no order, so these may overtake the pending ones
		addFeatures(&a.coder, a.sums, indices, ones[:len(indices)])
		return
	}
	for _, index := range indices {
		a.Add(index, 1)
	}
}

func addVector[I Index, W Weight](a *Accumulator[W], indices []I, weights []W) {
	for len(indices) > 0 {
		n := 0
		if a.pending == 0 && len(indices) >= pendingFeatures {
			n = len(indices) &^ 3 // whole groups
			addFeatures(&a.coder, a.sums, indices[:n], weights[:n])
		} else {
			n = min(len(indices), pendingFeatures-a.pending)
			for i, index := range indices[:n] {
				a.indices[a.pending+i] = uint64(index)
			}
			copy(a.weights[a.pending:], weights[:n])
			if a.pending += n; a.pending == pendingFeatures {
				a.flush()
			}
		}
		indices, weights = indices[n:], weights[n:]
	}
}

// flush adds the pending features to the sums. It closes the open group, if there is one.
func (a *Accumulator[W]) flush() {
	addFeatures(&a.coder, a.sums, a.indices[:a.pending], a.weights[:a.pending])
	a.pending = 0
}

// closed returns the sums with b's pending features added, in a's scratch if there are any. It does not change b.
func (a *Accumulator[W]) closed(b *Accumulator[W]) lanes {
	if b.pending == 0 {
		return b.sums
	}
	a.reading.copy(b.sums)
	addFeatures(&a.coder, a.reading, b.indices[:b.pending], b.weights[:b.pending])
	return a.reading
}

// Append appends the fingerprint of all features so far: Words() words of the Sketcher. It changes nothing, so features can follow. The errors are
// ErrNoInformation and ErrNotFinite, with the fingerprint appended. Append allocates only if dst has no room.
func (a *Accumulator[W]) Append(dst []uint64) ([]uint64, error) {
	at := len(dst)
	dst = slices.Grow(dst, a.words)[:at+a.words]
	return dst, readLanes(dst[at:], a.definition, a.closed(a)).Err()
}

// Reset forgets all features.
func (a *Accumulator[W]) Reset() {
	a.sums.clear()
	a.pending = 0
}

// Clone returns an independent Accumulator in the same state.
func (a *Accumulator[W]) Clone() *Accumulator[W] {
	c := newAccumulator[W](a.definition)
	c.sums.copy(a.sums)
	c.pending, c.indices, c.weights = a.pending, a.indices, a.weights
	return c
}
