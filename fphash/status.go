package fphash

import (
	"errors"

	"simhashkit/asm/accumulate"
)

var (
	errNoInformation = errors.New("fphash: fingerprint carries no information: all sums are zero")
	errNotFinite     = errors.New("fphash: sum of weights is not finite")
)

// Status says of a fingerprint whether it means anything.
type Status uint8

// The statuses.
const (
	// Informative is a fingerprint like any other.
	Informative Status = iota
	// NoInformation says that every lane's sum is zero: the vector is
	// empty, all its weights are zero, or they cancel out. The fingerprint
	// is what the tie rule gives, 0 by default.
	NoInformation
	// NotFinite says that some lane's sum is infinite or not a number:
	// because a weight is, or because finite weights overflow. The
	// fingerprint is 0.
	NotFinite
)

var statusNames = [...]string{Informative: "informative", NoInformation: "no information", NotFinite: "not finite"}

// String returns the status in words.
func (s Status) String() string { return nameOf(s, statusNames[:], "Status") }

// Err returns the status as an error, for those who want one: nil for Informative, and for each of
// the others always the same, so that errors.Is(err, fphash.NotFinite.Err()) finds it.
func (s Status) Err() error {
	switch s {
	case NoInformation:
		return errNoInformation
	case NotFinite:
		return errNotFinite
	}
	return nil
}

// outcome gathers what the signs of all words say.
type outcome struct {
	nonzero   uint64 // any bit: some lane is not zero
	nonFinite uint64 // any bit: some lane is not finite
}

// word returns word t of the fingerprint.
func (o *outcome) word(d *definition, t int, s accumulate.Signs) uint64 {
	mask := ^uint64(0)
	if t == d.words-1 {
		mask = d.lastMask
	}
	o.nonzero |= ^s.Zero & mask
	o.nonFinite |= s.NonFinite & mask
	return (s.Positive | s.Zero&tieWords[d.tie]) & mask
}

// status concludes; the fingerprint is cleared if it is not finite.
func (o *outcome) status(fingerprint []uint64) Status {
	switch {
	case o.nonFinite != 0:
		clear(fingerprint)
		return NotFinite
	case o.nonzero == 0:
		return NoInformation
	}
	return Informative
}

// single returns a fingerprint of one word.
func (d *definition) single(signs accumulate.Signs) (uint64, Status) {
	var o outcome
	word := o.word(d, 0, signs)
	switch {
	case o.nonFinite != 0:
		return 0, NotFinite
	case o.nonzero == 0:
		return word, NoInformation
	}
	return word, Informative
}

// readSigns stores the fingerprint whose word t has the signs of the lanes that signs(t) gives.
func readSigns(fingerprint []uint64, d *definition, signs func(t int) accumulate.Signs) Status {
	var o outcome
	for t := range fingerprint {
		fingerprint[t] = o.word(d, t, signs(t))
	}
	return o.status(fingerprint)
}
