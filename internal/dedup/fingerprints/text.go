package fingerprints

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"simhashkit/fphash"
	"simhashkit/internal/docsketch"
	"simhashkit/internal/tabular"
)

// jsonFields are the fields of the JSON lines of fphash sketch. fphash.ParseDefinition parses the
// definition.
var jsonFields = []string{"id", "fingerprint", "informative", "definition"}

// parseJSON adds the record of a JSON line of fphash sketch, or of another object with an id and a
// fingerprint.
func (a *adder) parseJSON(line []byte) error {
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
	return a.addDefined(idOf(*record.ID), []byte(*record.Fingerprint), record.Definition, record.Informative)
}

// idOf returns the text of a JSON string, and any other value unchanged.
func idOf(value json.RawMessage) []byte {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return []byte(text)
	}
	return value
}

// tableWriter writes JSON lines. Each record has the definition, so that
// readers detect a mix of records with different definitions.
type tableWriter struct {
	*tabular.Table
	definition fphash.Definition
}

func (t *tableWriter) Write(r docsketch.Record) error {
	// Each record is flushed, so that the output never ends within one.
	return t.Table.End(t.Row(string(r.ID), fphash.Fingerprint(r.Fingerprint).Hex(t.definition.Bits), r.Informative, t.definition.String()))
}

func (t *tableWriter) End() error { return t.Table.End(nil) }

// parseText adds the record of a line. All lines have the form HEX<TAB>ID, or all the form HEX.
func (a *adder) parseText(line []byte) error {
	digits, id, ok := bytes.Cut(line, []byte("\t"))
	if a.records.Len() == 0 {
		a.bare = !ok
	}
	switch {
	case !ok && !a.bare:
		return fmt.Errorf("expected a fingerprint in hexadecimal, a tab and an id, got %.60q", line)
	case ok && a.bare:
		return fmt.Errorf("expected a fingerprint in hexadecimal and no id, as in the lines before, got %.60q", line)
	}
	return a.addDigits(id, digits, nil)
}

// textWriter writes the fingerprint in hexadecimal, a tab and the id. If a record has Keys, the
// number of features and the keys follow, with a tab before each and commas between keys.
type textWriter struct {
	w    io.Writer
	bits int
	line []byte
}

func (t *textWriter) Write(r docsketch.Record) error {
	t.line = append(fphash.Fingerprint(r.Fingerprint).AppendHex(t.line[:0], t.bits), '\t')
	for _, b := range r.ID {
		if b == '\t' || b == '\n' || b == '\r' {
			b = ' ' // a tab or line end in the id would break the format
		}
		t.line = append(t.line, b)
	}
	if r.Keys != nil {
		t.line = strconv.AppendInt(append(t.line, '\t'), int64(r.Features), 10)
		for i, key := range r.Keys {
			t.line = strconv.AppendUint(append(t.line, "\t,"[min(i, 1)]), key, 10)
		}
		if len(r.Keys) == 0 {
			t.line = append(t.line, '\t')
		}
	}
	t.line = append(t.line, '\n')
	_, err := t.w.Write(t.line)
	return err
}

func (t *textWriter) End() error { return nil }
