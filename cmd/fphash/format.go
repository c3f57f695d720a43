package main

import (
	"io"

	"simhashkit/dedup/fingerprints"
	"simhashkit/dedup/fingerprints/parquet"
)

// formats are the names of the formats of fingerprints.
var formats = namesOf(fingerprints.Formats())

// newFingerprintWriter returns the writer of that format, onto a buffered writer, for fingerprints
// of that definition; unsure says how many bits their masks mark.
func newFingerprintWriter(format string, w io.Writer, s hasher, unsure int) (fingerprints.Writer, error) {
	if format == string(fingerprints.Parquet) {
		return parquet.NewWriter(w, s.String(), s.Bits(), unsure > 0), nil
	}
	return fingerprints.NewWriter(w, fingerprints.Format(format), s.Definition(), unsure)
}
