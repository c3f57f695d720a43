package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"

	"simhashkit/fphash"
)

// storedLine is a line of a file of fingerprints after the head. A record without information has
// no fingerprint.
type storedLine struct {
	ID          json.RawMessage `json:"id"`
	Fingerprint string          `json:"fingerprint"`
	Features    int             `json:"features"`
}

// parseLine returns the record of a line. Its id may be a part of the line.
func parseLine(line []byte, bits int) (Record, error) {
	if record, ok := plainLine(line, bits); ok {
		return record, nil
	}
	var stored storedLine
	if err := json.Unmarshal(line, &stored); err != nil {
		return Record{}, err
	}
	record := Record{Informative: stored.Fingerprint != "", Features: stored.Features}
	var err error
	if record.ID, record.Number, err = idOf(stored.ID); err == nil && record.Informative {
		record.Fingerprint, err = fphash.ParseHex(stored.Fingerprint, bits)
	}
	return record, err
}

// idOf returns the text of an id and whether it is a number.
func idOf(value json.RawMessage) (id []byte, number bool, err error) {
	if len(value) == 0 {
		return nil, false, errors.New("no id")
	}
	if value[0] != '"' {
		return value, true, nil
	}
	var text string
	err = json.Unmarshal(value, &text)
	return []byte(text), false, err
}

// plainLine parses a line exactly as storeTo writes it, without escapes. Nearly all lines are like
// that, and the JSON decoder takes several times as long. It is not ok for all others, valid ones
// included.
func plainLine(line []byte, bits int) (record Record, ok bool) {
	line, begins := bytes.CutPrefix(line, []byte(`{"id":`))
	id, line, hasID := bytes.Cut(line, []byte(`,"fingerprint":`))
	digits, line, hasDigits := bytes.Cut(line, []byte(`,"features":`))
	features, ends := bytes.CutSuffix(line, []byte("}"))
	if !begins || !hasID || !hasDigits || !ends || !isWhole(features) {
		return record, false
	}
	if record.ID, ok = unquoted(id); !ok {
		record.ID, record.Number = id, isWhole(id)
	}
	if !ok && !record.Number {
		return record, false
	}
	var err error
	if record.Features, err = strconv.Atoi(string(features)); err != nil {
		return record, false
	}
	if string(digits) == "null" {
		return record, true
	}
	record.Informative = true
	if digits, ok = unquoted(digits); !ok {
		return record, false
	}
	record.Fingerprint, err = fphash.ParseHex(string(digits), bits)
	return record, err == nil
}

// unquoted returns a JSON string without its quotes, if nothing in it is escaped.
func unquoted(value []byte) (text []byte, ok bool) {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return nil, false
	}
	text = value[1 : len(value)-1]
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			return nil, false
		}
	}
	return text, utf8.Valid(text)
}

// isWhole reports whether a JSON value is a nonnegative whole number.
func isWhole(value []byte) bool {
	for _, c := range value {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(value) == 1 || len(value) > 1 && value[0] != '0'
}
