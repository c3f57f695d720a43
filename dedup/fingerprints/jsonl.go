package fingerprints

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"simhashkit/dedup"
	"simhashkit/fphash"
)

// jsonLines reads the JSON lines of fphash sketch, and others that have an id and a fingerprint.
type jsonLines struct {
	records *dedup.Records
	first   *jsonDefinition // of the first line; all lines must have the same
}

// jsonDefinition says how fingerprints were made. Fields with their default are omitted, except
// those that a reader could not guess.
type jsonDefinition struct {
	Bits       int    `json:"bits"`
	Hash       string `json:"hash"`
	Encoding   string `json:"encoding"`
	Sketch     string `json:"sketch,omitempty"`
	Widen      string `json:"widen,omitempty"`
	Seed       uint64 `json:"seed,omitempty"`
	Keyed      bool   `json:"keyed,omitempty"` // the hash has a secret key
	Tie        string `json:"tie,omitempty"`
	Order      string `json:"order,omitempty"`
	Convention string `json:"convention,omitempty"` // of another system
}

func (j *jsonLines) parse(line []byte) error {
	var record struct {
		jsonDefinition
		ID          *json.RawMessage `json:"id"`
		Fingerprint *string          `json:"fingerprint"`
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
	says := Informative(fingerprint, record.Bits)
	if record.Hash != "" { // written by fphash, which marks uninformative fingerprints
		says = record.Informative == nil || bool(*record.Informative)
	}
	j.records.Add(idOf(*record.ID), fingerprint, says)
	return nil
}

// truth is true or false, or 1 or 0, into which some programs convert columns with missing values.
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

// text returns the definition as fphash writes it, or "" if it is unknown. It is unknown for a hash
// with a key, since the file does not contain the key.
func (d *jsonDefinition) text() (string, error) {
	if d.Bits < 1 || d.Bits > fphash.MaxBits {
		return "", fmt.Errorf("%d bits, expected 1 to %d", d.Bits, fphash.MaxBits)
	}
	if d.Hash == "" || d.Keyed {
		return "", nil
	}
	definition := fphash.Definition{Hash: d.Hash, Bits: d.Bits, Seed: d.Seed, Convention: d.Convention}
	if err := errors.Join(
		parse(&definition.Encoding, d.Encoding), parse(&definition.Sketch, d.Sketch), parse(&definition.Widen, d.Widen), parse(&definition.Tie, d.Tie), parse(&definition.Order, d.Order),
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

// jsonWriter writes one JSON object a line.
type jsonWriter struct {
	encoder *json.Encoder
	line    struct {
		ID          string `json:"id"`
		Fingerprint string `json:"fingerprint"` // hexadecimal, most significant digit first
		jsonDefinition
		Informative *bool `json:"informative,omitempty"` // false: the fingerprint says nothing
	}
}

func newJSONWriter(w io.Writer, d fphash.Definition) *jsonWriter {
	j := &jsonWriter{encoder: json.NewEncoder(w)}
	j.encoder.SetEscapeHTML(false)
	j.line.jsonDefinition = jsonDefinition{
		Bits: d.Bits, Hash: d.Hash, Encoding: d.Encoding.String(), Seed: d.Seed, Keyed: len(d.Key) > 0, Convention: d.Convention,
	}
	if d.Sketch != fphash.SimHash {
		j.line.Sketch = d.Sketch.String()
	}
	if d.Widen != fphash.WidenNone {
		j.line.Widen = d.Widen.String()
	}
	if d.Tie != fphash.TieZero {
		j.line.Tie = d.Tie.String()
	}
	if d.Order != fphash.Grouped {
		j.line.Order = d.Order.String()
	}
	return j
}

func (j *jsonWriter) Write(r Record) error {
	j.line.ID, j.line.Fingerprint, j.line.Informative = string(r.ID), fphash.Fingerprint(r.Fingerprint).Hex(j.line.Bits), nil
	if !r.Informative {
		j.line.Informative = new(bool)
	}
	return j.encoder.Encode(&j.line)
}

func (j *jsonWriter) End() error { return nil }
