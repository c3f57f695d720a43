package fphash

import "sync"

// Sketcher computes fingerprints of one definition: hash, encoding, width, widening, tie rule, seed
// or key, order of summation. Make one with New; the zero Sketcher panics.
//
// It never changes and is safe for concurrent use: make one, and share it. Buffers come from a
// pool, so nothing is allocated per fingerprint. A Sketcher returned by Local, for one goroutine,
// avoids the small cost of the pool. The buffers of a call depend on the width (about 25 KB at 64
// bits, 150 KB at 4096) and, for byte strings, on their length (the bytes of a few hundred; at most
// 1 MB is kept), never on the number of dimensions or features.
type Sketcher struct {
	*definition
	workers int
	pool    sync.Pool // of *buffers
	own     *buffers  // of one by Local, in place of the pool
	shared  *Sketcher // which Local was called of; else nil
}

// New returns a Sketcher; without options xxh64 of the index's 8 little-endian bytes, 64 bits, ties
// give 0, grouped order.
//
// It fails if an option's value is out of range or unknown, if the fingerprint would be wider than
// the hash's code and no widening is asked for, if the hash does not take the encoding, the
// widening, the seed or the key, and if the environment variable FPHASH_KERNEL names a kernel that
// does not exist.
func New(options ...Option) (*Sketcher, error) {
	c, err := newConfig(options)
	if err != nil {
		return nil, err
	}
	d, err := newDefinition(c)
	if err != nil {
		return nil, err
	}
	return &Sketcher{definition: d, workers: c.workers}, nil
}

// Local returns a Sketcher of the same definition with its own buffers, for one goroutine at a
// time. Two goroutines that use it at once get wrong fingerprints; the race detector reports that.
// Cost: the buffers.
func (s *Sketcher) Local() *Sketcher {
	d := s.made()
	return &Sketcher{definition: d, workers: s.workers, own: newBuffers(d, s.workers), shared: s.origin()}
}

// origin returns the Sketcher that may be shared: what outlives a call keeps that.
func (s *Sketcher) origin() *Sketcher {
	s.made()
	if s.shared != nil {
		return s.shared
	}
	return s
}

// made returns what s computes. It panics for what New has not made.
func (s *Sketcher) made() *definition {
	if s == nil || s.definition == nil {
		panic(notMade)
	}
	return s.definition
}

const notMade = "fphash: a Sketcher that New has not made"

// Bits returns the width of a fingerprint.
func (s *Sketcher) Bits() int { return s.made().bits }

// Words returns the number of words of a fingerprint: ceil(Bits/64).
func (s *Sketcher) Words() int { return s.made().words }
