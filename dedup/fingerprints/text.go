package fingerprints

import (
	"bytes"
	"fmt"
	"io"

	"simhashkit/dedup"
	"simhashkit/fphash"
)

// textLines reads HEX<TAB>ID.
type textLines struct {
	records *dedup.Records
	bits    int
}

func (t *textLines) parse(line []byte) error {
	digits, id, ok := bytes.Cut(line, []byte("\t"))
	if !ok {
		return fmt.Errorf("expected a fingerprint in hexadecimal, a tab and an id, not %.60q", line)
	}
	if t.bits == 0 {
		t.bits = 4 * len(digits)
	}
	t.records.Set.Bits = t.bits
	fingerprint, err := ParseDigits(digits, t.bits)
	if err != nil {
		return err
	}
	t.records.Add(id, fingerprint, Informative(fingerprint, t.bits))
	return nil
}

// textWriter writes the fingerprint in hexadecimal, a tab and the id.
type textWriter struct {
	w    io.Writer
	bits int
	line []byte
}

func (t *textWriter) Write(r Record) error {
	t.line = append(fphash.Fingerprint(r.Fingerprint).AppendHex(t.line[:0], t.bits), '\t')
	for _, b := range r.ID {
		if b == '\t' || b == '\n' || b == '\r' {
			b = ' ' // a line is one record, and its only tab separates two fields
		}
		t.line = append(t.line, b)
	}
	t.line = append(t.line, '\n')
	_, err := t.w.Write(t.line)
	return err
}

func (t *textWriter) End() error { return nil }

// ParseDigits reads a fingerprint of so many bits in hexadecimal.
func ParseDigits(digits []byte, bits int) ([]uint64, error) {
	if bits < 1 || bits > fphash.MaxBits {
		return nil, fmt.Errorf("fingerprint of %d bits, expected 1 to %d", bits, fphash.MaxBits)
	}
	fingerprint, err := fphash.ParseHex(string(digits), bits)
	if err != nil {
		return nil, fmt.Errorf("fingerprint %.80q: expected %d hexadecimal digits: all have %d bits", digits, (bits+3)/4, bits)
	}
	return fingerprint, nil
}
