package fphash

// pendingMost is how many single features are gathered before they are added at once. It is a
// multiple of 4, so that groups never straddle.
const pendingMost = 64

// pendingFeatures are the features of an Accumulator that are not in its sums yet. Indices wait to
// be hashed in one call; a byte string, which cannot be kept without a copy, is hashed when it
// comes, and so are the indices before it.
type pendingFeatures[W Weight] struct {
	n       int                 // how many there are
	hashed  int                 // of the first this many the codes are known
	codes   []uint64            // word t of the code of feature i is at [t·pendingMost+i]
	indices [pendingMost]uint64 // of the features from hashed on
	weights [pendingMost]W
}

// addKey hashes the key and makes it a pending feature.
func addKey[K Bytes, W Weight](a *Accumulator[W], key K, weight W) error {
	one := [1]K{key}
	if err := checkFeatures(a.definition, one[:]); err != nil {
		return err
	}
	p := &a.pending
	if waiting := p.indices[p.hashed:p.n]; len(waiting) > 0 {
		p.settle(encode(&a.coder, waiting), len(waiting))
	}
	p.weights[p.n] = weight
	p.n++
	p.settle(encode(&a.coder, one[:]), 1)
	if p.n == pendingMost {
		a.flush()
	}
	return nil
}

// settle stores the codes of the n features from hashed on.
func (p *pendingFeatures[W]) settle(codes []uint64, n int) {
	for t := range len(p.codes) / pendingMost {
		copy(p.codes[t*pendingMost+p.hashed:], codes[t*n:(t+1)*n])
	}
	p.hashed += n
}

// flush adds the pending features to the sums. It closes the open group, if there is one.
func (a *Accumulator[W]) flush() {
	a.addPending(a.sums, &a.pending)
	a.pending.n, a.pending.hashed = 0, 0
}

// closed returns the sums with b's pending features added, in a's scratch if there are any. It does
// not change b.
func (a *Accumulator[W]) closed(b *Accumulator[W]) lanes {
	if b.pending.n == 0 {
		return b.sums
	}
	a.reading.copy(b.sums)
	a.addPending(a.reading, &b.pending)
	return a.reading
}

// addPending adds the features of p, which does not change, to the lanes.
func (a *Accumulator[W]) addPending(l lanes, p *pendingFeatures[W]) {
	if p.hashed == 0 {
		addFeatures(&a.coder, l, p.indices[:p.n], p.weights[:p.n])
		return
	}
	n := p.n - p.hashed
	rest := encode(&a.coder, p.indices[p.hashed:p.n])
	for t := range a.words {
		var codes [pendingMost]uint64
		copy(codes[:], p.codes[t*pendingMost:][:p.hashed])
		copy(codes[p.hashed:], rest[t*n:(t+1)*n])
		addWord(l, t, codes[:p.n], p.weights[:p.n], a.order)
	}
}
