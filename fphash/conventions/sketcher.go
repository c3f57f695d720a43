package conventions

import (
	"sync"

	"simhashkit/fphash"
)

// Sketcher computes fingerprints of one Convention. It never changes and is safe for concurrent
// use: make one, and share it. One that New has not made panics.
type Sketcher struct {
	convention  Convention
	bits, words int
	// signed votes are counted by package fphash; nil where appendCounted does
	signed                *fphash.Sketcher
	hash                  fphash.ByteHash // for Python's numbers
	voted                 int             // words of what is voted on, before it is arranged
	arranges              bool            // a fingerprint is not as it was voted
	digests               bool            // features are digests
	generates, transposes bool            // features are seeds of generators
	frames                bool            // features are framed for sip
	sip                   sipHash

	buffers sync.Pool // of *buffers
}

// New returns a Sketcher of that Convention. It fails if parts of the Convention are unknown or do
// not go together, if the hash takes no such key, and where fphash.New does.
func New(c Convention) (*Sketcher, error) {
	f, err := c.family()
	if err != nil {
		return nil, err
	}
	if err := c.check(f); err != nil {
		return nil, err
	}
	s := &Sketcher{convention: c, bits: c.FingerprintBits(), words: (c.FingerprintBits() + 63) / 64}
	s.arranges, s.digests, s.generates, s.transposes = c.BitOrder != numberOrder || c.Inverted, c.Hash == digest, isStream(c.Hash), c.Hash == transposed
	if isStream(c.Hash) {
		s.voted = (c.Bits + 63) / 64
		return s, kernelsKnown()
	}
	if c.Framing != plainFraming {
		s.frames, s.voted = true, s.words
		if s.sip, err = newSipHash(c.Key, c.Hash == sipHash128); err != nil {
			return nil, s.wrap(err)
		}
		return s, kernelsKnown()
	}
	tie := c.Tie
	if c.Inverted {
		tie = fphash.TieOne - tie
	}
	s.signed, err = fphash.New(fphash.WithFamily(f), fphash.WithEncoding(c.Encoding), fphash.WithBits(c.votedBits(f)), fphash.WithTie(tie), fphash.WithOrder(c.Order),
		fphash.WithKey(c.Key))
	if err != nil {
		return nil, s.wrap(err)
	}
	s.voted = s.signed.Words()
	if c.Weights == Python {
		h, err := f.New(fphash.Key{Bytes: c.Key})
		if err != nil {
			return nil, s.wrap(err)
		}
		s.hash = h.(fphash.ByteHash) // check has seen that it takes bytes
	}
	return s, nil
}

// kernelsKnown reports a FPHASH_KERNEL that names no kernel, as fphash.New does.
func kernelsKnown() error {
	_, err := fphash.New()
	return err
}

// NewNamed is New for a preset by its name.
func NewNamed(name string) (*Sketcher, error) {
	c, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return New(c)
}

// Convention returns what the Sketcher computes.
func (s *Sketcher) Convention() Convention { return s.convention }

// Definition returns what is to be stored beside the fingerprints.
func (s *Sketcher) Definition() fphash.Definition { return s.convention.Definition() }

// String returns the definition in one line.
func (s *Sketcher) String() string { return s.Definition().String() }

// Bits returns the width of a fingerprint.
func (s *Sketcher) Bits() int { return s.bits }

// Words returns the number of words of a fingerprint: ceil(Bits/64).
func (s *Sketcher) Words() int { return s.words }

// Hex returns the fingerprint as the system shows it, in hexadecimal digits.
func (s *Sketcher) Hex(fingerprint []uint64) string {
	return fphash.Fingerprint(fingerprint).Hex(s.bits)
}
