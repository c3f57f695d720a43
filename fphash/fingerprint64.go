package fphash

import (
	"database/sql/driver"
	"fmt"
)

// Fingerprint64 is a fingerprint of up to 64 bits for a column of integers: a database gets the
// int64 of the same bits, which is below zero where bit 63 is 1. Equal fingerprints are equal
// numbers, and databases that count bits (bit_count) give distances. A column of text takes
// String, which Scan reads.
type Fingerprint64 uint64

// Value gives a database the int64 of the same bits.
func (f Fingerprint64) Value() (driver.Value, error) { return int64(f), nil }

// Scan takes from a database a number, or 16 hexadecimal digits as text, which some drivers give as
// bytes.
func (f *Fingerprint64) Scan(value any) error {
	switch v := value.(type) {
	case int64:
		*f = Fingerprint64(v)
	case uint64:
		*f = Fingerprint64(v)
	case string:
		return f.UnmarshalText([]byte(v))
	case []byte:
		return f.UnmarshalText(v)
	default:
		return fmt.Errorf("fphash: fingerprint of 64 bits from %T, expected an integer or 16 hexadecimal digits", value)
	}
	return nil
}

// String writes 16 hexadecimal digits.
func (f Fingerprint64) String() string { return Fingerprint{uint64(f)}.String() }

// MarshalText writes the fingerprint as String does, in JSON too: many readers of JSON round
// numbers above 2^53.
func (f Fingerprint64) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads 16 hexadecimal digits.
func (f *Fingerprint64) UnmarshalText(text []byte) error {
	read, err := ParseHex(string(text), 64)
	if err == nil {
		*f = Fingerprint64(read[0])
	}
	return err
}
