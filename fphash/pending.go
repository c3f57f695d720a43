package fphash

// pendingMost is how many features are gathered before they are added at once. It is a multiple of
// 4, so that groups never straddle, and few, since Accumulators are kept by the million.
const pendingMost = 16

// pendingFeatures are the features of an Accumulator that are not in its sums yet. Indices wait to
// be hashed in one call; a byte string, which cannot be kept without a copy, is hashed when it
// comes, and so are the indices before it.
type pendingFeatures[W Weight] struct {
	n      int // how many there are
	hashed int // of the first this many the codes are known
	// word t of the code of feature i is at [t·pendingMost+i]; nil without byte strings
	codes   []uint64
	indices [pendingMost]uint64 // of the features from hashed on
	weights [pendingMost]W
}

// put makes the features pending; there must be room.
func (p *pendingFeatures[W]) put(b *buffers, features column, weights []W) {
	copy(p.weights[p.n:], weights)
	if !isBytes(features.kind) {
		p.n += copyIndices(p.indices[p.n:], features)
		return
	}
	if p.codes == nil {
		p.codes = make([]uint64, (b.codeWord(b.words-1)+1)*pendingMost)
	}
	if waiting := p.indices[p.hashed:p.n]; len(waiting) > 0 {
		p.settle(b.encode(columnOf(waiting)), len(waiting))
	}
	p.n += features.len
	p.settle(b.encode(features), features.len)
}

// settle stores the codes of the n features from hashed on.
func (p *pendingFeatures[W]) settle(codes []uint64, n int) {
	for t := range len(p.codes) / pendingMost {
		copy(p.codes[t*pendingMost+p.hashed:], codes[t*n:(t+1)*n])
	}
	p.hashed += n
}

// flush adds the pending features to the sums. It closes the open group, if there is one.
func (a *Accumulator[W]) flush(b *buffers) {
	a.pending.addTo(a.sums, b)
	a.pending.n, a.pending.hashed = 0, 0
}

// closed returns the sums with the pending features added, in the buffers if there are any. It does
// not change a.
func (a *Accumulator[W]) closed(b *buffers) lanes {
	if a.pending.n == 0 {
		return a.sums
	}
	reading := b.lanes.of(b.definition, kindOf[W]())
	reading.copy(a.sums)
	a.pending.addTo(reading, b)
	return reading
}

// addTo adds the features of p, which does not change, to the lanes.
func (p *pendingFeatures[W]) addTo(l lanes, b *buffers) {
	if p.hashed == 0 {
		b.add(l, columnOf(p.indices[:p.n]), columnOf(p.weights[:p.n]))
		return
	}
	n := p.n - p.hashed
	rest, weights := b.encode(columnOf(p.indices[p.hashed:p.n])), b.native(columnOf(p.weights[:p.n]))
	for t := range b.words {
		var codes [pendingMost]uint64
		word := b.codeWord(t)
		copy(codes[:], p.codes[word*pendingMost:][:p.hashed])
		copy(codes[p.hashed:], rest[word*n:(word+1)*n])
		l.addWord(t, codes[:p.n], weights, b.order)
	}
}
