package fingerprints

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"

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

// ParseMask reads the mask of a fingerprint of so many bits in hexadecimal; there is none if there
// are no digits. It holds to what the records before it have.
func ParseMask(digits []byte, bits int, records *dedup.Records) ([]uint64, error) {
	masked := records.Set.Masks != nil
	if before := records.Len() > records.WithoutFingerprint(); before && masked != (len(digits) > 0) {
		return nil, errors.New("expected a mask of unsure bits for all fingerprints, or for none")
	}
	if len(digits) == 0 {
		return nil, nil
	}
	mask, err := fphash.ParseHex(string(digits), bits)
	if err != nil {
		return nil, fmt.Errorf("mask %.80q: expected %d hexadecimal digits, as of a fingerprint of %d bits", digits, (bits+3)/4, bits)
	}
	return mask, nil
}

// jsonLines reads the JSON lines of fphash sketch, and others that have an id and a fingerprint.
type jsonLines struct {
	records *dedup.Records
	first   *jsonDefinition // what all lines must have
}

// jsonDefinition is what a line says about how fingerprints were made.
type jsonDefinition struct {
	Bits     int    `json:"bits"`
	Hash     string `json:"hash"`
	Encoding string `json:"encoding"`
	Widen    string `json:"widen"`
	Seed     uint64 `json:"seed"`
	Keyed    bool   `json:"keyed"`
	Tie      string `json:"tie"`
	Order    string `json:"order"`

	Convention string `json:"convention"`
}

func (j *jsonLines) parse(line []byte) error {
	var record struct {
		jsonDefinition
		ID          *json.RawMessage `json:"id"`
		Fingerprint *string          `json:"fingerprint"`
		Mask        string           `json:"mask"`
		Informative *truth           `json:"informative"`
	}
	if err := json.Unmarshal(line, &record); err != nil {
		return fmt.Errorf("expected a JSON object with an id and a fingerprint: %w", err)
	}
	if record.Fingerprint == nil || record.ID == nil {
		return errors.New(`expected a JSON object with "id" and "fingerprint"`)
	}
	digits := *record.Fingerprint
	if record.Bits == 0 {
		record.Bits = 4 * len(digits)
	}
	if j.first == nil {
		text, err := record.text()
		if err != nil {
			return err
		}
		first := record.jsonDefinition
		j.first = &first
		j.records.Set.Bits, j.records.Set.Definition = record.Bits, text
	}
	if record.jsonDefinition != *j.first {
		return fmt.Errorf("the fingerprint is %v; expected %v, as on the lines before", &record.jsonDefinition, j.first)
	}
	fingerprint, err := ParseDigits([]byte(digits), record.Bits)
	if err != nil {
		return err
	}
	mask, err := ParseMask([]byte(record.Mask), record.Bits, j.records)
	if err != nil {
		return err
	}
	says := Informative(fingerprint, record.Bits)
	if record.Hash != "" { // fphash wrote it, which says so where it is not
		says = record.Informative == nil || bool(*record.Informative)
	}
	j.records.AddMasked(idOf(*record.ID), fingerprint, mask, says)
	return nil
}

// truth is true or false, or 1 or 0, which tables that lack some values make of these.
type truth bool

func (t *truth) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case "true", "1", "1.0":
		*t = true
	case "false", "0", "0.0":
		*t = false
	default:
		return fmt.Errorf("expected true or false for informative, got %.60s", text)
	}
	return nil
}

// idOf returns a JSON string's text, and anything else as it was written.
func idOf(value json.RawMessage) []byte {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return []byte(text)
	}
	return value
}

// text returns the definition as fphash writes it; "" if it is not known, as that of a hash with a
// key is not, which the file does not have.
func (d *jsonDefinition) text() (string, error) {
	if d.Bits < 1 || d.Bits > fphash.MaxBits {
		return "", fmt.Errorf("%d bits, expected 1 to %d", d.Bits, fphash.MaxBits)
	}
	if d.Hash == "" || d.Keyed {
		return "", nil
	}
	definition := fphash.Definition{Hash: d.Hash, Bits: d.Bits, Seed: d.Seed, Convention: d.Convention}
	if err := errors.Join(
		parse(&definition.Encoding, d.Encoding), parse(&definition.Widen, d.Widen), parse(&definition.Tie, d.Tie), parse(&definition.Order, d.Order),
	); err != nil {
		return "", err
	}
	text := definition.String()
	if d, err := fphash.ParseDefinition(text); err != nil || d.Hash != definition.Hash || d.Convention != definition.Convention {
		return "", fmt.Errorf("expected the names of a hash and of a convention, got %.60q and %.60q", definition.Hash, definition.Convention)
	}
	return text, nil
}

// parse parses a name unless it is empty, which is the default.
func parse(value encoding.TextUnmarshaler, name string) error {
	if name == "" {
		return nil
	}
	return value.UnmarshalText([]byte(name))
}

// String names the definition in messages.
func (d *jsonDefinition) String() string {
	if text, err := d.text(); err == nil && text != "" {
		return text
	}
	if d.Hash != "" {
		return fmt.Sprintf("%s of %d bits", d.Hash, d.Bits)
	}
	return fmt.Sprintf("%d bits", d.Bits)
}
