package fingerprints

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"simhashkit/fphash"
)

// jsonLines reads the JSON lines of fphash sketch, and other JSON objects with an id and a
// fingerprint.
type jsonLines struct{ adder }

func (j *jsonLines) parse(line []byte) error {
	var record struct {
		ID          *json.RawMessage `json:"id"`
		Fingerprint *string          `json:"fingerprint"`
		Informative *bool            `json:"informative"`
		Definition  string           `json:"definition"`
	}
	if err := json.Unmarshal(line, &record); err != nil {
		return fmt.Errorf("expected a JSON object with an id and a fingerprint: %w", err)
	}
	if record.Fingerprint == nil || record.ID == nil {
		return errors.New(`expected a JSON object with "id" and "fingerprint"`)
	}
	return j.add(idOf(*record.ID), []byte(*record.Fingerprint), record.Definition, record.Informative)
}

// idOf returns the text of a JSON string, and any other value unchanged.
func idOf(value json.RawMessage) []byte {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return []byte(text)
	}
	return value
}

// jsonWriter writes one JSON object per line. Its fields are the columns of CSV.
type jsonWriter struct {
	encoder *json.Encoder
	bits    int
	line    struct {
		ID          string `json:"id"`
		Fingerprint string `json:"fingerprint"` // hexadecimal, most significant digit first
		Informative bool   `json:"informative"`
		Definition  string `json:"definition"`
	}
}

func newJSONWriter(w io.Writer, definition fphash.Definition) *jsonWriter {
	j := &jsonWriter{encoder: json.NewEncoder(w), bits: definition.Bits}
	j.encoder.SetEscapeHTML(false)
	j.line.Definition = definition.String()
	return j
}

func (j *jsonWriter) Write(r Record) error {
	j.line.ID, j.line.Fingerprint, j.line.Informative = string(r.ID), fphash.Fingerprint(r.Fingerprint).Hex(j.bits), r.Informative
	return j.encoder.Encode(&j.line)
}

func (j *jsonWriter) End() error { return nil }
