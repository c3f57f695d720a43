package fphash

import "slices"

// Accumulator builds the fingerprint of one vector feature by feature, and can be merged with
// others, subtracted from, and read at any time.
//
// It gives the same bits as Append on all features in the order in which they came, however they
// were split into calls: with floating-point weights the groups of four of the Grouped order are
// counted from the start or the last Reset over all calls. Reading leaves the open group open.
// Repeated features add up; a feature is taken back by adding it with the opposite weight, which is
// exact for integers. Indices and byte strings may be mixed.
//
// An Accumulator is not safe for concurrent use. It allocates when it is made and afterwards only
// for a byte string longer than all before. Its memory depends on the width alone: about 6 KB at 64
// bits.
type Accumulator[W Weight] struct {
	coder
	sums    lanes // of the features that are not pending; whole groups only
	reading lanes // scratch
	pending pendingFeatures[W]
}

// NewAccumulator returns an empty Accumulator of the Sketcher's definition.
func NewAccumulator[W Weight](s AnySketcher) *Accumulator[W] {
	return newAccumulator[W](s.shared().definition)
}

func newAccumulator[W Weight](d *definition) *Accumulator[W] {
	a := &Accumulator[W]{coder: newCoder(d, pendingMost), sums: newLanes[W](d.words), reading: newLanes[W](d.words)}
	if d.bytes != nil {
		a.pending.codes = make([]uint64, d.words*pendingMost)
	}
	return a
}

// Add adds the feature of that index.
func (a *Accumulator[W]) Add(index uint64, weight W) {
	p := &a.pending
	p.indices[p.n], p.weights[p.n] = index, weight
	if p.n++; p.n == pendingMost {
		a.flush()
	}
}

// AddKey adds the feature that is the byte string. It fails, with nothing added, if the hash takes
// no byte strings. Cost: the hash of one key at once, so a large number of features is added faster
// by Append.
func (a *Accumulator[W]) AddKey(key []byte, weight W) error { return addKey(a, key, weight) }

// AddString is AddKey for a key that is a string.
func (a *Accumulator[W]) AddString(key string, weight W) error { return addKey(a, key, weight) }

// AddVector adds features, in order. It fails, with nothing added, if the lengths differ.
func (a *Accumulator[W]) AddVector(indices []uint64, weights []W) error {
	if len(indices) != len(weights) {
		return errLengths[uint64](len(indices), len(weights))
	}
	addVector(a, indices, weights)
	return nil
}

// AddVector32 is AddVector for 32-bit indices.
func (a *Accumulator[W]) AddVector32(indices []uint32, weights []W) error {
	if len(indices) != len(weights) {
		return errLengths[uint32](len(indices), len(weights))
	}
	addVector(a, indices, weights)
	return nil
}

// AddUnit adds features of weight 1, in order.
func (a *Accumulator[W]) AddUnit(indices []uint64) {
	// integers know no order, so these may overtake the pending ones
	if a.sums.i64 != nil && len(indices) >= pendingMost {
		addFeatures(&a.coder, a.sums, indices, ones[:len(indices)])
		return
	}
	for _, index := range indices {
		a.Add(index, 1)
	}
}

func addVector[I Index, W Weight](a *Accumulator[W], indices []I, weights []W) {
	for p := &a.pending; len(indices) > 0; {
		n := 0
		if p.n == 0 && len(indices) >= pendingMost {
			n = len(indices) &^ 3 // whole groups
			addFeatures(&a.coder, a.sums, indices[:n], weights[:n])
		} else {
			n = min(len(indices), pendingMost-p.n)
			for i, index := range indices[:n] {
				p.indices[p.n+i] = uint64(index)
			}
			copy(p.weights[p.n:], weights[:n])
			if p.n += n; p.n == pendingMost {
				a.flush()
			}
		}
		indices, weights = indices[n:], weights[n:]
	}
}

// Append appends the fingerprint of all features so far: Words() words of the Sketcher. It changes
// nothing, so features can follow. The errors are ErrNoInformation and ErrNotFinite, with the
// fingerprint appended. Append allocates only if dst has no room.
func (a *Accumulator[W]) Append(dst []uint64) ([]uint64, error) {
	at := len(dst)
	dst = slices.Grow(dst, a.words)[:at+a.words]
	return dst, readLanes(dst[at:], a.definition, a.closed(a)).Err()
}

// Reset forgets all features.
func (a *Accumulator[W]) Reset() {
	a.sums.clear()
	a.pending.n, a.pending.hashed = 0, 0
}

// Clone returns an independent Accumulator in the same state.
func (a *Accumulator[W]) Clone() *Accumulator[W] {
	c := newAccumulator[W](a.definition)
	c.sums.copy(a.sums)
	codes := c.pending.codes
	copy(codes, a.pending.codes)
	c.pending = a.pending
	c.pending.codes = codes
	return c
}
