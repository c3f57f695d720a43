package index

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"simhashkit/fphash"
)

// Set holds the fingerprints to be searched or joined. It is not copied, so it must not change
// while it is in use.
type Set struct {
	Bits  int      // width of each fingerprint, 1 to fphash.MaxBits
	Words []uint64 // the fingerprints, (Bits+63)/64 words each
	IDs   []uint64 // one per fingerprint, without duplicates; nil means positions, from 0

	// Definition is the definition of the fingerprints, in the form of fphash.Definition.String.
	// Sets and queries must have the same Definition. An empty one means unknown, and matches only
	// another empty one, so set Definition if you know it.
	Definition string
}

// Len returns the number of fingerprints.
func (s *Set) Len() int {
	if s.Bits < 1 {
		return 0
	}
	return len(s.Words) / s.Stride()
}

// At returns the fingerprint at position i, as a part of Words.
func (s *Set) At(i int) []uint64 {
	w := s.Stride()
	return s.Words[i*w : i*w+w : i*w+w]
}

// ID returns the id of the fingerprint at position i.
func (s *Set) ID(i int) uint64 {
	if s.IDs == nil {
		return uint64(i)
	}
	return s.IDs[i]
}

var errNoSet = errors.New("index: no set; for an empty set, set Bits")

// Check returns an error if the set is invalid. It takes one pass over the words, and a sorted copy
// of the ids unless they ascend.
func (s *Set) Check() error {
	if s == nil {
		return errNoSet
	}
	if s.Bits < 1 || s.Bits > fphash.MaxBits {
		return fmt.Errorf("index: fingerprints of %d bits, expected 1 to %d", s.Bits, fphash.MaxBits)
	}
	if w := s.Stride(); len(s.Words)%w != 0 {
		return fmt.Errorf("index: %d words, expected a multiple of the %d that fingerprints of %d bits have", len(s.Words), w, s.Bits)
	}
	if uint64(s.Len()) >= math.MaxUint32 {
		return fmt.Errorf("index: %d fingerprints, expected less than 2^32", s.Len())
	}
	if s.IDs != nil && len(s.IDs) != s.Len() {
		return fmt.Errorf("index: %d ids, expected one for each of %d fingerprints", len(s.IDs), s.Len())
	}
	if err := s.checkPadding(); err != nil {
		return err
	}
	return s.checkIDs()
}

// checkPadding checks that the bits beyond the width are zero, since other bits would count as
// differences. fphash leaves them zero.
func (s *Set) checkPadding() error {
	if s.Bits%64 == 0 {
		return nil
	}
	w, beyond := s.Stride(), ^uint64(0)<<(s.Bits%64)
	for i := w - 1; i < len(s.Words); i += w {
		if s.Words[i]&beyond != 0 {
			return fmt.Errorf("index: fingerprint %d has bits beyond the %d of the set", i/w, s.Bits)
		}
	}
	return nil
}

func (s *Set) checkIDs() error {
	ascend := true
	for i := 1; i < len(s.IDs) && ascend; i++ {
		ascend = s.IDs[i-1] < s.IDs[i]
	}
	if ascend {
		return nil
	}
	sorted := slices.Clone(s.IDs)
	slices.Sort(sorted)
	for i := 1; i < len(sorted); i++ {
		if sorted[i-1] == sorted[i] {
			return fmt.Errorf("index: duplicate id %d", sorted[i])
		}
	}
	return nil
}

// Query returns the fingerprint at position i as a query.
func (s *Set) Query(i int) Query { return Query{Words: s.At(i), Definition: s.Definition} }

// Comparable returns fphash.ErrMismatch unless the fingerprints of both sets have the same
// definition.
func (s *Set) Comparable(other *Set) error {
	if s == nil || other == nil {
		return errNoSet
	}
	if s.Bits != other.Bits || !sameDefinition(s.Definition, other.Definition) {
		return fmt.Errorf("%w: %s and %s", fphash.ErrMismatch, s.defined(), other.defined())
	}
	return nil
}

// defined describes the definition in messages.
func (s *Set) defined() string {
	if s.Definition == "" {
		return fmt.Sprintf("%d bits of an unknown definition", s.Bits)
	}
	return s.Definition
}

// Stride returns the number of words of a fingerprint.
func (s *Set) Stride() int { return (s.Bits + 63) / 64 }

// Distance returns the number of bits in which the fingerprints at positions i of s and j of other
// differ.
func (s *Set) Distance(i int, other *Set, j int) int { return fphash.Distance(s.At(i), other.At(j)) }

// CheckDefinition returns an error unless the Definition is one of fingerprints of the set's width.
// It may be a text for fphash.ParseDefinition, or the same after a description of the features,
// like the result of textsketch.Sketcher.Definition: "FEATURES; WEIGHTS; DEFINITION".
func (s *Set) CheckDefinition() error {
	features, d, err := parseDefinition(s.Definition)
	switch {
	case err != nil:
		return fmt.Errorf("index: %w", err)
	case strings.ContainsFunc(features, unicode.IsControl):
		return fmt.Errorf("index: definition %.200q: expected one line", s.Definition)
	case d.Bits != s.Bits:
		return fmt.Errorf("index: the definition %.200q has %d bits, expected the %d of the fingerprints", s.Definition, d.Bits, s.Bits)
	}
	return nil
}

// parseDefinition splits a definition into the description of the features, if any, and the
// definition of the hashing.
func parseDefinition(text string) (features string, d fphash.Definition, err error) {
	at := strings.LastIndex(text, "; ")
	if at >= 0 {
		at += len("; ")
		features, text = text[:at], text[at:]
	}
	d, err = fphash.ParseDefinition(text)
	return features, d, err
}

// sameDefinition reports whether two definitions are equal. One may omit defaults or have its parts
// in a different order.
func sameDefinition(a, b string) bool {
	if a == b {
		return true
	}
	featuresA, x, errA := parseDefinition(a)
	featuresB, y, errB := parseDefinition(b)
	return errA == nil && errB == nil && featuresA == featuresB && x.String() == y.String()
}
