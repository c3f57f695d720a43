package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"

	"simhashkit/fphash"
)

// storedLine is what stands in a line of a file of fingerprints behind its head. A record without
// information has no fingerprint.
type storedLine struct {
	ID          json.RawMessage `json:"id"`
	Fingerprint string          `json:"fingerprint"`
	Mask        string          `json:"mask"` // where there are masks
	Features    int             `json:"features"`
}

// form is what the lines of a run have in common.
type form struct {
	bits   int // of each fingerprint
	masked bool
}

func (r *Run) form() form { return form{r.Source.Bits(), r.Source.Unsure() > 0} }

func (f form) columns() []string {
	if f.masked {
		return []string{"id", "fingerprint", "mask", "features"}
	}
	return []string{"id", "fingerprint", "features"}
}

// parseLine returns the record of a line. Its id may be a part of the line.
func (f form) parseLine(line []byte) (Record, error) {
	if record, ok := f.plainLine(line); ok {
		return record, nil
	}
	var stored storedLine
	if err := json.Unmarshal(line, &stored); err != nil {
		return Record{}, err
	}
	record := Record{Informative: stored.Fingerprint != "", Features: stored.Features}
	var err error
	if record.ID, record.Number, err = idOf(stored.ID); err == nil && record.Informative {
		record.Fingerprint, err = fphash.ParseHex(stored.Fingerprint, f.bits)
		if err == nil && f.masked {
			record.Mask, err = fphash.ParseHex(stored.Mask, f.bits)
		}
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

// plainLine returns the record of a line that is just as storeTo writes it, with nothing escaped:
// nearly all are, and the decoder of JSON takes several times as long. It is not ok for all others,
// sound ones among them.
func (f form) plainLine(line []byte) (record Record, ok bool) {
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
	digits, mask, hasMask := bytes.Cut(digits, []byte(`,"mask":`))
	if hasMask != f.masked {
		return record, false
	}
	if string(digits) == "null" {
		return record, !hasMask || string(mask) == "null"
	}
	record.Informative = true
	if record.Fingerprint, ok = f.hex(digits); ok && hasMask {
		record.Mask, ok = f.hex(mask)
	}
	return record, ok
}

// hex returns the words of a JSON string in hexadecimal.
func (f form) hex(value []byte) (words []uint64, ok bool) {
	digits, ok := unquoted(value)
	if !ok {
		return nil, false
	}
	words, err := fphash.ParseHex(string(digits), f.bits)
	return words, err == nil
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

// isWhole says that a value is a whole number in JSON, without a sign.
func isWhole(value []byte) bool {
	for _, c := range value {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(value) == 1 || len(value) > 1 && value[0] != '0'
}
