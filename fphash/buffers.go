package fphash

import "reflect"

// buffers are what one goroutine needs to compute fingerprints, so that nothing is allocated on the
// way.
type buffers struct {
	guard
	coder
	offsets []int        // room for those of a batch that are no int
	lanes   lanes        // of all three types; used by vectors longer than a chunk
	planes  [][64]uint64 // room for the magnitudes of all lanes; nil until there is a mask
	workers int
	helpers []*buffers // of the other workers of a batch, kept for the next one
}

func newBuffers(d *definition, workers int) *buffers {
	return &buffers{
		coder: newCoder(d, chunkOf(d)), workers: workers,
		lanes: lanes{newLanes(reflect.Int64, d.words).i64, newLanes(reflect.Float32, d.words).f32, newLanes(reflect.Float64, d.words).f64},
	}
}

// clone returns other buffers for the same.
func (b *buffers) clone() *buffers { return newBuffers(b.definition, b.workers) }

// borrow returns buffers for one call: those of a LocalSketcher, or some out of the pool. A call
// that panics does not give them back. It is small enough to be inlined, as giveBack is: a
// LocalSketcher is to cost no call.
func borrow(s AnySketcher) *buffers {
	if local, _ := s.(*LocalSketcher); local != nil && local.own != nil {
		return local.own
	}
	return borrowShared(s)
}

func borrowShared(s AnySketcher) *buffers {
	if shared, _ := s.(*Sketcher); shared != nil && shared.definition != nil {
		if b, ok := shared.pool.Get().(*buffers); ok {
			return b
		}
		return newBuffers(shared.definition, shared.workers)
	}
	panic(notMade)
}

// giveBack ends what borrow began.
func giveBack(s AnySketcher, b *buffers) {
	b.entered()
	if shared, ok := s.(*Sketcher); ok {
		shared.pool.Put(b)
	}
}

// isPlain reports whether n indices of 64 bits are the common case: fingerprints of one word,
// indices that enter the hash as they are, and a vector that is hashed at once. It goes by itself
// because of what the general case decides on its way: that takes as many instructions as adding a
// hundred features of weight 1.
func (b *buffers) isPlain(n int) bool { return b.plain && n <= b.chunk }

// hashPlain returns the codes of the indices, which stay there until the next call.
func (b *buffers) hashPlain(keys []uint64) []uint64 {
	codes := b.codes[:len(keys)]
	b.hashIntegers(codes, keys)
	return codes
}
