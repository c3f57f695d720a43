package fphash

import (
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// Fingerprint is a fingerprint of any width. Bit j is bit j%64, least significant first, of word
// j/64. The width is not stored; bits above it are zero.
type Fingerprint []uint64

// Bit reports whether bit j is 1. It panics if j is not in the range 0 to 64·len(f)-1.
func (f Fingerprint) Bit(j int) bool {
	if j < 0 || j >= 64*len(f) {
		panic(fmt.Sprintf("fphash: bit %d of a fingerprint of %d bits", j, 64*len(f)))
	}
	return f[j/64]>>(uint(j)%64)&1 != 0
}

// Hex returns the result of AppendHex as a string.
func (f Fingerprint) Hex(bits int) string { return string(f.AppendHex(nil, bits)) }

// Distance returns the Hamming distance: the number of bits in which a and b differ. It panics if
// they have different numbers of words.
func Distance(a, b []uint64) int {
	if len(a) != len(b) {
		panic(fmt.Sprintf("fphash: %d words, expected %d", len(b), len(a)))
	}
	d := 0
	for word := range a {
		d += bits.OnesCount64(a[word] ^ b[word])
	}
	return d
}

// Distance64 returns the Hamming distance of two fingerprints of up to 64 bits.
func Distance64(a, b uint64) int { return bits.OnesCount64(a ^ b) }

// Cosine estimates the cosine similarity of two vectors, from 1 to -1, from the distance of their
// fingerprints and the width: the cosine of the angle π·distance/bits.
//
// The standard error of the angle is π·sqrt(p(1-p)/bits) with p = angle/π, at most 0.2 for 64 bits,
// if the hash is good and the vectors have many features, none of which dominates. Cosine panics if
// bits is less than 1, or if distance is not in the range 0 to bits.
func Cosine(distance, bits int) float64 {
	if bits < 1 || distance < 0 || distance > bits {
		panic(fmt.Sprintf("fphash: distance %d of fingerprints of %d bits", distance, bits))
	}
	return math.Cos(math.Pi * float64(distance) / float64(bits))
}

// String returns the fingerprint in hexadecimal, 16 digits per word, the most significant first.
// Use Hex to get only as many digits as the width needs.
func (f Fingerprint) String() string {
	if len(f) == 0 {
		return ""
	}
	return f.Hex(64 * len(f))
}

// Format prints the result of String for %s, %v and %x, and in upper case for %X. For verbs that do
// not print text, it prints the words.
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

// MarshalText returns the same as String. In JSON a fingerprint is a string, because many JSON
// readers round numbers above 2^53. A fingerprint without words is an error; in JSON, omitempty
// leaves it out.
func (f Fingerprint) MarshalText() ([]byte, error) {
	if len(f) == 0 {
		return nil, errNoWords
	}
	return []byte(f.String()), nil
}

// UnmarshalText parses the result of MarshalText: 16 hexadecimal digits per word, so 16 for a width
// of up to 64 bits. For as many digits as the width needs, use ParseHex.
func (f *Fingerprint) UnmarshalText(text []byte) error {
	if err := checkSize(len(text), 16, "hexadecimal digits"); err != nil {
		return err
	}
	read, err := ParseHex(string(text), 4*len(text))
	if err == nil {
		*f = read
	}
	return err
}

var errNoWords = errors.New("fphash: a fingerprint without words; in JSON, omitempty leaves it out")

// checkSize returns an error unless a fingerprint of this size has 1 to MaxBits/64 whole words.
func checkSize(size, ofWord int, unit string) error {
	if size == 0 || size%ofWord != 0 || size/ofWord > MaxBits/64 {
		return fmt.Errorf("fphash: fingerprint of %d %s, expected a multiple of %d, at most %d", size, unit, ofWord, MaxBits/64*ofWord)
	}
	return nil
}

// AppendBinary appends 8 bytes per word, the most significant first, like numbers in databases and
// other systems. Lexical order of the bytes is numeric order. A fingerprint without words is an
// error.
func (f Fingerprint) AppendBinary(dst []byte) ([]byte, error) {
	if len(f) == 0 {
		return dst, errNoWords
	}
	for _, word := range slices.Backward(f) {
		dst = binary.BigEndian.AppendUint64(dst, word)
	}
	return dst, nil
}

// MarshalBinary returns the same bytes as AppendBinary.
func (f Fingerprint) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// UnmarshalBinary reads the bytes of AppendBinary, 8 per word.
func (f *Fingerprint) UnmarshalBinary(data []byte) error {
	if err := checkSize(len(data), 8, "bytes"); err != nil {
		return err
	}
	words := make(Fingerprint, len(data)/8)
	for i := range words {
		words[len(words)-1-i] = binary.BigEndian.Uint64(data[8*i:])
	}
	*f = words
	return nil
}

// Value returns the bytes of AppendBinary, or NULL for a fingerprint without words.
func (f Fingerprint) Value() (driver.Value, error) {
	if len(f) == 0 {
		return nil, nil
	}
	return f.AppendBinary([]byte{})
}

// Scan reads bytes that Value returned, a string of 16 hexadecimal digits per word, or the 64 bits
// of an integer. It never reads bytes as digits: if a driver returns text as bytes, scan into a
// string and use ParseHex. For a column that may be NULL, use sql.Null[Fingerprint].
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
	if value == nil {
		return errors.New("fphash: fingerprint is NULL, expected a value; sql.Null[fphash.Fingerprint] reads both")
	}
	return fmt.Errorf("fphash: fingerprint from %T, expected bytes, hexadecimal digits or an integer", value)
}

// AppendHex appends a fingerprint with the given width as a hexadecimal number: most significant
// digit first, zero-padded to ceil(bits/4) digits, lower case. It panics if bits is less than 1 or
// f does not have ceil(bits/64) words.
func (f Fingerprint) AppendHex(dst []byte, bits int) []byte {
	if bits < 1 || len(f) != wordsFor(bits) {
		panic(fmt.Sprintf("fphash: fingerprint of %d words for %d bits", len(f), bits))
	}
	const digits = "0123456789abcdef"
	for d := (bits+3)/4 - 1; d >= 0; d-- {
		word := f[d/16]
		if d/16 == len(f)-1 {
			word &= lastWordMask(bits)
		}
		dst = append(dst, digits[word>>(uint(d)%16*4)&15])
	}
	return dst
}

// ParseHex parses the output of AppendHex for a fingerprint with the given width; it also accepts
// upper-case digits. The number of digits must be ceil(bits/4), and bits above the width must be
// zero. The error gives the column, counted in bytes from 1.
func ParseHex(s string, bits int) (Fingerprint, error) {
	if err := checkBits(bits); err != nil {
		return nil, err
	}
	n := (bits + 3) / 4
	f := make(Fingerprint, wordsFor(bits))
	for i := range len(s) {
		digit, ok := hexDigit(s[i])
		if !ok {
			return nil, fmt.Errorf("fphash: fingerprint %.1040q: column %d: %q is not a hexadecimal digit", s, i+1, s[i])
		}
		if i < n {
			d := n - 1 - i
			f[d/16] |= digit << (uint(d) % 16 * 4)
		}
	}
	if len(s) != n {
		return nil, fmt.Errorf("fphash: fingerprint %.1040q: %d digits, expected %d for %d bits", s, len(s), n, bits)
	}
	if f[len(f)-1]&^lastWordMask(bits) != 0 {
		return nil, fmt.Errorf("fphash: fingerprint %q: column 1: %q sets a bit above the width of %d bits", s, s[0], bits)
	}
	return f, nil
}

func hexDigit(c byte) (uint64, bool) {
	switch {
	case '0' <= c && c <= '9':
		return uint64(c - '0'), true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return uint64(c|0x20-'a') + 10, true
	}
	return 0, false
}
