package fphash

import (
	"errors"
	"fmt"
)

// Stored is a fingerprint together with its definition, to be kept or sent as bytes, as text or in
// JSON. After reading it, you can compare it only with fingerprints of the same definition.
// FORMAT.md in this folder describes the forms.
//
// For many fingerprints of one definition this wastes space: files store it once, in their header.
type Stored struct {
	Definition  Definition // of a key its fingerprint only is written
	Fingerprint Fingerprint
}

// Distance returns the number of bits in which two fingerprints differ. It fails with ErrMismatch,
// which names both, if their definitions differ.
func (s Stored) Distance(other Stored) (int, error) {
	if a, b := s.Definition.String(), other.Definition.String(); a != b {
		return 0, fmt.Errorf("%w: %s and %s", ErrMismatch, a, b)
	}
	for _, one := range []Stored{s, other} {
		if err := one.check(); err != nil {
			return 0, err
		}
	}
	return Distance(s.Fingerprint, other.Fingerprint), nil
}

// check returns an error unless the words have the shape that the definition says.
func (s *Stored) check() error {
	d := s.Definition.Bits
	if err := checkBits(d); err != nil {
		return err
	}
	words := wordsFor(d)
	if len(s.Fingerprint) != words {
		return fmt.Errorf("fphash: fingerprint of %d words, expected %d for %d bits", len(s.Fingerprint), words, d)
	}
	if s.Fingerprint[words-1]&^lastWordMask(d) != 0 {
		return fmt.Errorf("fphash: fingerprint sets a bit above the %d wanted", d)
	}
	return nil
}

// checkWritten returns an error unless what is written of s can be read again.
func (s *Stored) checkWritten() error {
	if _, err := ParseDefinition(s.Definition.String()); err != nil {
		return err
	}
	return s.check()
}

// ErrMismatch says that fingerprints cannot be compared, or sums not be added, because their
// definitions differ. Test for it with errors.Is.
var ErrMismatch = errors.New("fphash: different definitions")
