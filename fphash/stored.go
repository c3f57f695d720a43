package fphash

import (
	"errors"
	"fmt"
	"math/bits"
)

// Stored is a fingerprint with all that decides what it means, to be kept or sent: as bytes, as
// text and in JSON it has its definition with it, and where it is read again it is compared with
// fingerprints of the same definition only. FORMAT.md beside this file has the forms.
//
// For many fingerprints of one definition that is a waste: files have it once, in their header.
type Stored struct {
	Definition  Definition // of a key its fingerprint only is written
	Fingerprint Fingerprint
	Mask        []uint64 // of unsure bits, by AppendMasked; may be nil
}

// Distance returns the number of bits in which two fingerprints differ, but for those that a mask
// marks. It fails with ErrMismatch, which names both, if their definitions differ.
func (s Stored) Distance(other Stored) (int, error) {
	if a, b := s.Definition.String(), other.Definition.String(); a != b {
		return 0, fmt.Errorf("%w: %s and %s", ErrMismatch, a, b)
	}
	for _, one := range []Stored{s, other} {
		if err := one.check(); err != nil {
			return 0, err
		}
	}
	var masks [][]uint64
	for _, mask := range [][]uint64{s.Mask, other.Mask} {
		if mask != nil {
			masks = append(masks, mask)
		}
	}
	return Distance(s.Fingerprint, other.Fingerprint, masks...), nil
}

// check returns an error unless the words have the shape that the definition says.
func (s *Stored) check() error {
	d := s.Definition.Bits
	if err := checkBits(d); err != nil {
		return err
	}
	words := wordsFor(d)
	if len(s.Fingerprint) != words || s.Mask != nil && len(s.Mask) != words {
		return fmt.Errorf("fphash: fingerprint of %d words with a mask of %d, expected %d for %d bits", len(s.Fingerprint), len(s.Mask), words, d)
	}
	beyond := s.Fingerprint[words-1]
	if s.Mask != nil {
		beyond |= s.Mask[words-1]
	}
	if beyond&^lastWordMask(d) != 0 {
		return fmt.Errorf("fphash: fingerprint sets a bit above the %d wanted", d)
	}
	return nil
}

// maskBits returns how many bits are unsure.
func (s *Stored) maskBits() (n int) {
	for _, word := range s.Mask {
		n += bits.OnesCount64(word)
	}
	return n
}

// ErrMismatch says that fingerprints cannot be compared, or sums not be added, because they were
// made by different definitions and do not mean the same; test for it by errors.Is.
var ErrMismatch = errors.New("fphash: different definitions")
