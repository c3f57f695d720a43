package fphash

import (
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
	if err := s.check(); err != nil {
		return dst, err
	}
	start := len(dst)
	dst = appendHeader(dst, storedMagic, s.Definition.String())
	masked := uint32(0)
	if s.Mask != nil {
		masked = 1
	}
	dst = binary.LittleEndian.AppendUint32(dst, masked)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(s.maskBits()))
	for _, word := range s.Fingerprint {
		dst = binary.LittleEndian.AppendUint64(dst, word)
	}
	for _, word := range s.Mask {
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
	masked, unsure := r.uint32(), int(r.uint32())
	words := wordsFor(read.Definition.Bits)
	size := words * 8
	if masked != 0 {
		size *= 2
	}
	if masked > 1 || len(r.rest) != size {
		return fmt.Errorf("fphash: the stored fingerprint has %d bytes of words, expected %d for %d bits", len(r.rest), size, read.Definition.Bits)
	}
	read.Fingerprint = r.words(words)
	if masked != 0 {
		read.Mask = r.words(words)
	}
	if n := read.maskBits(); n != unsure {
		return fmt.Errorf("fphash: the mask has %d bits, expected %d as the header says", n, unsure)
	}
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

// AppendText appends one line: fphash/1, the definition, the fingerprint in hexadecimal and the
// mask, if there is one, with spaces between them.
func (s Stored) AppendText(dst []byte) ([]byte, error) {
	if err := s.check(); err != nil {
		return dst, err
	}
	dst = fmt.Appendf(dst, "%s %s ", storedText, s.Definition)
	dst = s.Fingerprint.AppendHex(dst, s.Definition.Bits)
	if s.Mask != nil {
		dst = Fingerprint(s.Mask).AppendHex(append(dst, ' '), s.Definition.Bits)
	}
	return dst, nil
}

// MarshalText returns what AppendText appends.
func (s Stored) MarshalText() ([]byte, error) { return s.AppendText(nil) }

// UnmarshalText reads what AppendText has written. On an error s is as it was.
func (s *Stored) UnmarshalText(text []byte) error {
	fields := strings.Fields(string(text))
	if len(fields) < 3 || len(fields) > 4 || !strings.HasPrefix(fields[0], "fphash/") {
		return fmt.Errorf("fphash: %.200q: expected %s, a definition, a fingerprint and perhaps a mask", text, storedText)
	}
	if fields[0] != storedText {
		return fmt.Errorf("fphash: stored fingerprint of version %.20s, expected 1", strings.TrimPrefix(fields[0], "fphash/"))
	}
	mask := ""
	if len(fields) == 4 {
		mask = fields[3]
	}
	return s.parse(fields[1], fields[2], mask)
}

// parse reads the parts of texts.
func (s *Stored) parse(definition, fingerprint, mask string) (err error) {
	var read Stored
	if read.Definition, err = ParseDefinition(definition); err != nil {
		return err
	}
	if read.Fingerprint, err = ParseHex(fingerprint, read.Definition.Bits); err != nil {
		return err
	}
	if mask != "" {
		if read.Mask, err = ParseHex(mask, read.Definition.Bits); err != nil {
			return fmt.Errorf("mask: %w", err)
		}
	}
	return s.take(read)
}

// storedJSON is the form in JSON.
type storedJSON struct {
	Version     int    `json:"version"`
	Definition  string `json:"definition"`
	Fingerprint string `json:"fingerprint"`
	Mask        string `json:"mask,omitempty"`
}

// MarshalJSON writes an object with version, definition, fingerprint and, if there is one, mask;
// the latter two in hexadecimal.
func (s Stored) MarshalJSON() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	j := storedJSON{Version: 1, Definition: s.Definition.String(), Fingerprint: s.Fingerprint.Hex(s.Definition.Bits)}
	if s.Mask != nil {
		j.Mask = Fingerprint(s.Mask).Hex(s.Definition.Bits)
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON has written. On an error s is as it was.
func (s *Stored) UnmarshalJSON(data []byte) error {
	var j storedJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return fmt.Errorf("fphash: stored fingerprint: %w", err)
	}
	if j.Version != 1 {
		return fmt.Errorf("fphash: stored fingerprint of version %d, expected 1", j.Version)
	}
	if j.Definition == "" || j.Fingerprint == "" {
		return errors.New(`fphash: stored fingerprint: expected "definition" and "fingerprint"`)
	}
	return s.parse(j.Definition, j.Fingerprint, j.Mask)
}
