package fphash

import (
	"database/sql/driver"
	"fmt"
)

// Fingerprint64 is a fingerprint of up to 64 bits for a column of integers: a database gets the
// int64 of the same bits, which is below zero where bit 63 is 1. Equal fingerprints are equal
// numbers, and databases that count bits (bit_count) give distances.
type Fingerprint64 uint64

// Value gives a database the int64 of the same bits.
func (f Fingerprint64) Value() (driver.Value, error) { return int64(f), nil }

// Scan takes from a database a number, or 16 hexadecimal digits as text.
func (f *Fingerprint64) Scan(value any) error { return scan64((*uint64)(f), value) }

// String writes 16 hexadecimal digits.
func (f Fingerprint64) String() string { return Fingerprint{uint64(f)}.String() }

// MarshalText writes the fingerprint as String does, in JSON too: many readers of JSON round
// numbers above 2^53.
func (f Fingerprint64) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads 16 hexadecimal digits.
func (f *Fingerprint64) UnmarshalText(text []byte) error { return parse64((*uint64)(f), string(text)) }

// TextFingerprint64 is a fingerprint of up to 64 bits for a column of text: a database gets 16
// hexadecimal digits. Otherwise it is like Fingerprint64.
type TextFingerprint64 uint64

// Value gives a database 16 hexadecimal digits.
func (f TextFingerprint64) Value() (driver.Value, error) { return f.String(), nil }

// Scan takes from a database 16 hexadecimal digits as text, or a number.
func (f *TextFingerprint64) Scan(value any) error { return scan64((*uint64)(f), value) }

// String writes 16 hexadecimal digits.
func (f TextFingerprint64) String() string { return Fingerprint{uint64(f)}.String() }

// MarshalText writes the fingerprint as String does.
func (f TextFingerprint64) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads 16 hexadecimal digits.
func (f *TextFingerprint64) UnmarshalText(text []byte) error {
	return parse64((*uint64)(f), string(text))
}

// scan64 reads what a database gives. Bytes are text, as of drivers that give text so.
func scan64(f *uint64, value any) error {
	switch v := value.(type) {
	case int64:
		*f = uint64(v)
	case uint64:
		*f = v
	case string:
		return parse64(f, v)
	case []byte:
		return parse64(f, string(v))
	default:
		return fmt.Errorf("fphash: fingerprint of 64 bits from %T, expected an integer or 16 hexadecimal digits", value)
	}
	return nil
}

func parse64(f *uint64, text string) error {
	read, err := ParseHex(text, 64)
	if err == nil {
		*f = read[0]
	}
	return err
}
