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
	Fingerprint string `json:"fingerprint"`    // hexadecimal, most significant digit first
	Mask        string `json:"mask,omitempty"` // of unsure bits, in hexadecimal
	Bits        int    `json:"bits"`
	Hash        string `json:"hash"`
	Encoding    string `json:"encoding"`
	Widen       string `json:"widen,omitempty"`
	Seed        uint64 `json:"seed,omitempty"`
	Keyed       bool   `json:"keyed,omitempty"` // with a key of the user's own, which is a secret
	Tie         string `json:"tie,omitempty"`
	Order       string `json:"order,omitempty"`
	Convention  string `json:"convention,omitempty"` // of another system
	// false: all sums were zero, the fingerprint says nothing
	Informative *bool `json:"informative,omitempty"`
}

// jsonWriter writes one JSON object a line.
type jsonWriter struct {
	encoder *json.Encoder
	line    jsonRecord
	hex     []byte
}

func newJSONWriter(w io.Writer, s hasher, keyed bool) *jsonWriter {
	j := &jsonWriter{encoder: json.NewEncoder(w)}
	j.encoder.SetEscapeHTML(false)
	d := s.Definition()
	j.line = jsonRecord{Bits: d.Bits, Hash: d.Hash, Encoding: d.Encoding.String(), Seed: d.Seed, Keyed: keyed, Convention: d.Convention}
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

func (j *jsonWriter) write(r record) error {
	j.hex = fphash.AppendHex(j.hex[:0], r.fingerprint, j.line.Bits)
	j.line.ID, j.line.Fingerprint, j.line.Informative = string(r.id), string(j.hex), nil
	if r.mask != nil {
		j.line.Mask = fphash.Fingerprint(r.mask).Hex(j.line.Bits)
	}
	if !r.informative {
		j.line.Informative = new(bool)
	}
	return j.encoder.Encode(&j.line)
}

func (j *jsonWriter) end() error { return nil }
