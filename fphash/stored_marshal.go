package fphash

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

const (
	storedMagic = "FPHFPR\x00\x01" // the last byte is the version
	storedText  = "fphash/1"
)

// AppendBinary appends the fingerprint with its definition and a checksum.
func (s Stored) AppendBinary(dst []byte) ([]byte, error) {
	if err := s.checkWritten(); err != nil {
		return dst, err
	}
	start := len(dst)
	dst = appendHeader(dst, storedMagic, s.Definition.String())
	dst = binary.LittleEndian.AppendUint64(dst, 0)
	for _, word := range s.Fingerprint {
		dst = binary.LittleEndian.AppendUint64(dst, word)
	}
	return appendChecksum(dst, start), nil
}

// MarshalBinary returns what AppendBinary appends.
func (s Stored) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// UnmarshalBinary reads what AppendBinary has written, and nothing that is cut off or damaged. On
// an error s is as it was.
func (s *Stored) UnmarshalBinary(data []byte) error {
	r, definition, err := openState(data, storedMagic, "stored fingerprint")
	if err != nil {
		return err
	}
	var read Stored
	if read.Definition, err = ParseDefinition(definition); err != nil {
		return err
	}
	if low, high := r.uint32(), r.uint32(); low != 0 || high != 0 {
		return fmt.Errorf("fphash: the stored fingerprint has %d and %d behind its definition, expected 0 and 0: it is more than a fingerprint", low, high)
	}
	words := wordsFor(read.Definition.Bits)
	if len(r.rest) != 8*words {
		return fmt.Errorf("fphash: the stored fingerprint has %d bytes of words, expected %d for %d bits", len(r.rest), 8*words, read.Definition.Bits)
	}
	read.Fingerprint = r.words(words)
	return s.take(read)
}

// take makes what was read the value of s, if it is one.
func (s *Stored) take(read Stored) error {
	if err := read.check(); err != nil {
		return err
	}
	*s = read
	return nil
}

// AppendText appends one line: fphash/1, the definition and the fingerprint in hexadecimal, with
// spaces between them.
func (s Stored) AppendText(dst []byte) ([]byte, error) {
	if err := s.checkWritten(); err != nil {
		return dst, err
	}
	dst = fmt.Appendf(dst, "%s %s ", storedText, s.Definition)
	return s.Fingerprint.AppendHex(dst, s.Definition.Bits), nil
}

// MarshalText returns what AppendText appends.
func (s Stored) MarshalText() ([]byte, error) { return s.AppendText(nil) }

// UnmarshalText reads what AppendText has written. On an error s is as it was.
func (s *Stored) UnmarshalText(text []byte) error {
	fields := strings.Fields(string(text))
	if len(fields) != 3 || !strings.HasPrefix(fields[0], "fphash/") {
		return fmt.Errorf("fphash: %.200q: expected %s, a definition and a fingerprint", text, storedText)
	}
	if fields[0] != storedText {
		return fmt.Errorf("fphash: stored fingerprint of version %.20s, expected 1", strings.TrimPrefix(fields[0], "fphash/"))
	}
	return s.parse(fields[1], fields[2])
}

// parse reads the parts of texts.
func (s *Stored) parse(definition, fingerprint string) (err error) {
	var read Stored
	if read.Definition, err = ParseDefinition(definition); err != nil {
		return err
	}
	if read.Fingerprint, err = ParseHex(fingerprint, read.Definition.Bits); err != nil {
		return err
	}
	return s.take(read)
}

// storedJSON is the form in JSON.
type storedJSON struct {
	Version     int    `json:"version"`
	Definition  string `json:"definition"`
	Fingerprint string `json:"fingerprint"`
}

// MarshalJSON writes an object with version, definition and, in hexadecimal, fingerprint.
func (s Stored) MarshalJSON() ([]byte, error) {
	if err := s.checkWritten(); err != nil {
		return nil, err
	}
	return json.Marshal(storedJSON{Version: 1, Definition: s.Definition.String(), Fingerprint: s.Fingerprint.Hex(s.Definition.Bits)})
}

// UnmarshalJSON reads what MarshalJSON has written, and no object that has more. On an error s is
// as it was.
func (s *Stored) UnmarshalJSON(data []byte) error {
	var j storedJSON
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&j); err != nil {
		return fmt.Errorf("fphash: stored fingerprint: %w", err)
	}
	if j.Version != 1 {
		return fmt.Errorf("fphash: stored fingerprint of version %d, expected 1", j.Version)
	}
	if j.Definition == "" || j.Fingerprint == "" {
		return errors.New(`fphash: stored fingerprint: expected "definition" and "fingerprint"`)
	}
	return s.parse(j.Definition, j.Fingerprint)
}
