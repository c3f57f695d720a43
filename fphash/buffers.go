package fphash

// A chunk of features is hashed at a time: few enough that the codes are still in the L1 cache when
// the weights are added (in L2 where codes are wider than 2048 bits), and enough that a call's
// cost does not count. It is a multiple of 4, so that groups never straddle chunks.
const (
	chunkWords = 512 // of codes, if that is at least...
	chunkLeast = 128 // ...this many codes: most documents are one chunk, also where codes are wide
)

// chunkOf returns how many features of vectors of any length are best hashed at a time.
func chunkOf(d *definition) int { return max(chunkWords/d.codeWords&^7, chunkLeast) }

// buffers are what one goroutine needs to compute fingerprints, so that nothing is allocated on the
// way and the caller's slices do not escape.
type buffers struct {
	guard
	*definition
	chunk   int      // how many features can be hashed at a time
	codes   []uint64 // room for their codes
	narrow  []int32  // room for weights
	wide    []int64  // room for weights that int32 does not hold
	keys    []uint64 // room for indices, as 64 bits or byte-swapped
	text    []byte   // room for indices as digits, and for byte strings
	ends    []int    // where each of them ends in text
	lanes   lanes    // of all types; used by vectors longer than a chunk
	offsets []int    // room for those of a batch that are no int
	workers int
	helpers []*buffers // of the other workers of a batch, kept for the next one
}

func newBuffers(d *definition, workers int) *buffers {
	chunk := chunkOf(d)
	b := &buffers{
		definition: d, workers: workers, chunk: chunk,
		codes: make([]uint64, chunk*d.codeWords), keys: make([]uint64, chunk), narrow: make([]int32, chunk), wide: make([]int64, chunk),
	}
	if d.bytes != nil {
		// byte strings that are longer on average make it grow
		b.text, b.ends = make([]byte, 0, chunk*maxDigits+written), make([]int, chunk)
	}
	return b
}

// clone returns other buffers for the same.
func (b *buffers) clone() *buffers { return newBuffers(b.definition, b.workers) }

// borrow returns buffers for one call: the Sketcher's own, or some out of its pool. A call that
// panics does not give them back. It is small enough to be inlined, as giveBack is: own ones are to
// cost no call.
func borrow(s *Sketcher) *buffers {
	if s != nil && s.own != nil {
		return s.own
	}
	return s.fromPool()
}

func (s *Sketcher) fromPool() *buffers {
	d := s.made()
	if b, ok := s.pool.Get().(*buffers); ok {
		return b
	}
	return newBuffers(d, s.workers)
}

// giveBack ends what borrow began.
func giveBack(s *Sketcher, b *buffers) {
	b.entered()
	if s.own == nil {
		s.pool.Put(b)
	}
}
