package main

import (
	"encoding/json"
	"io"

	"simhashkit/fphash"
)

// jsonRecord is a line of JSON output. What has its usual value is left out, but for what a reader
// could not guess.
type jsonRecord struct {
	ID          string `json:"id"`
	Fingerprint string `json:"fingerprint"` // hexadecimal, most significant digit first
	Bits        int    `json:"bits"`
	Hash        string `json:"hash"`
	Encoding    string `json:"encoding"`
	Widen       string `json:"widen,omitempty"`
	Seed        uint64 `json:"seed,omitempty"`
	Keyed       bool   `json:"keyed,omitempty"` // with a key of the user's own, which is a secret
	Tie         string `json:"tie,omitempty"`
	Order       string `json:"order,omitempty"`
	// false: all sums were zero, the fingerprint says nothing
	Informative *bool `json:"informative,omitempty"`
}

// jsonWriter writes one JSON object a line.
type jsonWriter struct {
	encoder *json.Encoder
	line    jsonRecord
	hex     []byte
}

func newJSONWriter(w io.Writer, s *fphash.Sketcher, keyed bool) *jsonWriter {
	j := &jsonWriter{encoder: json.NewEncoder(w)}
	j.encoder.SetEscapeHTML(false)
	j.line = jsonRecord{Bits: s.Bits(), Hash: s.Hash(), Encoding: s.Encoding().String(), Seed: s.Seed(), Keyed: keyed}
	if s.Widen() != fphash.WidenNone {
		j.line.Widen = s.Widen().String()
	}
	if s.Tie() != fphash.TieZero {
		j.line.Tie = s.Tie().String()
	}
	if s.Order() != fphash.Grouped {
		j.line.Order = s.Order().String()
	}
	return j
}

func (j *jsonWriter) write(r record) error {
	j.hex = fphash.AppendHex(j.hex[:0], r.fingerprint, j.line.Bits)
	j.line.ID, j.line.Fingerprint, j.line.Informative = string(r.id), string(j.hex), nil
	if !r.informative {
		j.line.Informative = new(bool)
	}
	return j.encoder.Encode(&j.line)
}

func (j *jsonWriter) end() error { return nil }
