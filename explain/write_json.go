package explain

import (
	"io"

	"simhashkit/internal/jsonout"
)

// jsonComparison is the comparison as a JSON object.
type jsonComparison struct {
	Answer     string     `json:"answer"`
	Near       bool       `json:"near"`
	Comparable bool       `json:"comparable"`
	Bits       int        `json:"bits"`
	K          int        `json:"k"`
	Distance   int        `json:"distance"`
	Estimated  float64    `json:"estimatedCosine"`
	Cosine     float64    `json:"cosine"`
	Finds      float64    `json:"found"` // of pairs of this cosine, by the model
	Documents  []jsonSide `json:"documents"`
	Heaviest   []jsonWord `json:"heaviest"`
	Differing  []jsonWord `json:"differing"`
}

type jsonSide struct {
	Name        string      `json:"name"`
	Characters  int         `json:"characters"`
	Features    int         `json:"features"`
	Fingerprint string      `json:"fingerprint"`
	TooShort    bool        `json:"tooShort"`
	Change      *jsonChange `json:"changeOfOneFeature,omitempty"`
}

type jsonChange struct {
	Cosine float64 `json:"cosine"`
	Finds  float64 `json:"found"`
	K      int     `json:"kFor95"`
}

type jsonWord struct {
	Feature string     `json:"feature"`
	Weights [2]float64 `json:"weights"`
	Part    float64    `json:"part"`
}

func (c *Comparison) writeJSON(w io.Writer) error {
	j := jsonComparison{
		Answer: c.Answer(), Near: c.Near(), Comparable: c.Comparable(), Bits: c.Bits, K: c.K, Distance: c.Distance,
		Estimated: c.Estimated, Cosine: c.Cosine, Finds: c.Finds,
		Heaviest: jsonWords(c.Heaviest), Differing: jsonWords(c.Differing),
	}
	for _, s := range []Side{c.A, c.B} {
		side := jsonSide{Name: s.Name, Characters: s.Characters, Features: s.Features, Fingerprint: s.Fingerprint.Hex(c.Bits), TooShort: c.TooShort(s)}
		if s.Features > 0 {
			side.Change = &jsonChange{s.Change.Cosine, s.Change.Finds, s.Change.K}
		}
		j.Documents = append(j.Documents, side)
	}
	return jsonout.Write(w, j)
}

func jsonWords(words []Word) []jsonWord {
	list := []jsonWord{}
	for _, w := range words {
		list = append(list, jsonWord{string(w.Feature), [2]float64{w.A, w.B}, w.Part})
	}
	return list
}
