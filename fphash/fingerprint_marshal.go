package fphash

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// String writes the fingerprint in hexadecimal, 16 digits a word, the most significant first. Hex
// knows the width, and has no more digits than that.
func (f Fingerprint) String() string {
	if len(f) == 0 {
		return ""
	}
	return f.Hex(64 * len(f))
}

// Format prints the fingerprint as String does, for %x as well, and in upper case for %X. Verbs
// that are not for text print its words.
func (f Fingerprint) Format(s fmt.State, verb rune) {
	text := f.String()
	switch {
	case verb == 'v' && s.Flag('#'):
		fmt.Fprint(s, "fphash.Fingerprint", strings.TrimPrefix(fmt.Sprintf("%#v", []uint64(f)), "[]uint64"))
		return
	case verb == 'x':
		verb = 's'
	case verb == 'X':
		text, verb = strings.ToUpper(text), 's'
	case verb != 'v' && verb != 's' && verb != 'q':
		fmt.Fprintf(s, fmt.FormatString(s, verb), []uint64(f))
		return
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), text)
}

// MarshalText writes the fingerprint as String does. In JSON it is a string, since many readers
// round numbers above 2^53.
func (f Fingerprint) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads hexadecimal digits, as many as there are, the most significant first.
func (f *Fingerprint) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*f = Fingerprint{}
		return nil
	}
	read, err := ParseHex(string(text), 4*min(len(text), MaxBits))
	if err == nil {
		*f = read
	}
	return err
}

// AppendBinary appends 8 bytes a word, the most significant first, as databases and other systems
// write numbers: bytes that are in order are numbers in order.
func (f Fingerprint) AppendBinary(dst []byte) ([]byte, error) {
	for _, word := range slices.Backward(f) {
		dst = binary.BigEndian.AppendUint64(dst, word)
	}
	return dst, nil
}

// MarshalBinary returns what AppendBinary appends.
func (f Fingerprint) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// UnmarshalBinary reads bytes, as many as there are, the most significant first.
func (f *Fingerprint) UnmarshalBinary(data []byte) error {
	if len(data) > MaxBits/8 {
		return fmt.Errorf("fphash: fingerprint of %d bytes, expected at most %d", len(data), MaxBits/8)
	}
	words := make(Fingerprint, (len(data)+7)/8)
	for i, b := range slices.Backward(data) {
		at := len(data) - 1 - i
		words[at/8] |= uint64(b) << (at % 8 * 8)
	}
	*f = words
	return nil
}

// Value gives a database the bytes of AppendBinary, and NULL for nil.
func (f Fingerprint) Value() (driver.Value, error) {
	if f == nil {
		return nil, nil
	}
	return f.AppendBinary([]byte{})
}

// Scan takes from a database bytes as Value gave them, hexadecimal digits if the driver gives a
// string, or a number: the 64 bits of a signed one. Bytes are never taken for digits: where a
// driver gives text as bytes, scan into a string and use ParseHex. For a column that may be NULL,
// take sql.Null[Fingerprint].
func (f *Fingerprint) Scan(value any) error {
	switch v := value.(type) {
	case []byte:
		return f.UnmarshalBinary(v)
	case string:
		return f.UnmarshalText([]byte(v))
	case int64:
		*f = Fingerprint{uint64(v)}
		return nil
	}
	return fmt.Errorf("fphash: fingerprint from %T, expected bytes, hexadecimal digits or an integer", value)
}
