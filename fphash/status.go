package fphash

import "errors"

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
