package calibrate

import (
	"io"

	"simhashkit/internal/jsonout"
)

// jsonReport is the report as a JSON object. What does not exist is left out.
type jsonReport struct {
	Data    string   `json:"data"`
	Hash    jsonHash `json:"hash"`
	Weights string   `json:"weights"`
	*Calibration
}

type jsonHash struct {
	Name     string `json:"name"`
	Encoding string `json:"encoding"`
	Widen    string `json:"widen,omitempty"`
	Seed     uint64 `json:"seed,omitempty"`
}

func (c Report) writeJSON(w io.Writer) error {
	hash := jsonHash{Name: c.Hash.Family.Name, Encoding: c.Hash.Encoding.String(), Widen: widening(c.Hash.widenTo(c.Bits)), Seed: c.Hash.Seed}
	return jsonout.Write(w, jsonReport{c.Data, hash, c.Weights, c.Calibration})
}
