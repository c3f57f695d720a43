package fingerprints

import (
	"encoding/json"
	"errors"
	"fmt"
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
