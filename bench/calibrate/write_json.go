package calibrate

import (
	"io"

	"simhashkit/internal/jsonout"
)

// jsonCalibration is a calibration as a JSON object. What does not exist is left out.
type jsonCalibration struct {
	Data       string          `json:"data"`
	Hash       jsonHash        `json:"hash"`
	Bits       int             `json:"bits"`
	Weights    string          `json:"weights"`
	Cosine     float64         `json:"cosine"` // from which on pairs are near-duplicates
	Recall     float64         `json:"recallWanted"`
	Precision  float64         `json:"precisionWanted"`
	Vectors    int             `json:"vectors"`
	Sample     int             `json:"sample"`
	Empty      int             `json:"empty"` // left out: no features, or all weights 0
	Pairs      uint64          `json:"pairs"`
	Copies     uint64          `json:"copies"`
	Near       uint64          `json:"nearDuplicates"` // without copies
	Suggestion *jsonSuggestion `json:"suggestion,omitempty"`
	Note       string          `json:"note,omitempty"` // why there is no suggestion, or what it misses
	Bands      []jsonCosines   `json:"bands"`
	Unsure     *jsonUnsure     `json:"unsure,omitempty"`
	Widths     []jsonWidth     `json:"widths"`
	Switch     *jsonSwitch     `json:"switch,omitempty"`
}

type jsonHash struct {
	Name     string `json:"name"`
	Encoding string `json:"encoding"`
	Widen    string `json:"widen,omitempty"`
	Seed     uint64 `json:"seed,omitempty"`
}

type jsonSuggestion struct {
	Bits  int    `json:"bits"`
	K     int    `json:"k"`
	Widen string `json:"widen,omitempty"`
	Met   bool   `json:"met"`  // the precision is as wanted, too
	Sure  bool   `json:"sure"` // also the lower ends of the intervals are as wanted
}

type jsonCosines struct {
	Low            jsonout.Figure   `json:"low"` // cosine
	High           jsonout.Figure   `json:"high"`
	Pairs          uint64           `json:"pairs"`
	Mean           jsonout.Figure   `json:"mean"` // distance in bits
	Deviation      jsonout.Figure   `json:"deviation"`
	ModelMean      jsonout.Figure   `json:"modelMean"`
	ModelDeviation jsonout.Figure   `json:"modelDeviation"`
	Histogram      []uint64         `json:"histogram"`   // pairs by distance, from 0
	Within         []jsonout.Figure `json:"within"`      // probability of d <= k, by k
	ModelWithin    []jsonout.Figure `json:"modelWithin"` // the same by the model
}

// jsonUnsure is what ignoring the least sure bits of one vector finds.
type jsonUnsure struct {
	K        int              `json:"k"`
	Ignored  int              `json:"ignoredBits"`
	Plain    int              `json:"plainK"`   // at which about as many unrelated fingerprints pass
	Matched  int              `json:"matchedK"` // at which about as many of the other pairs are found
	Near     uint64           `json:"nearDuplicates"`
	Others   uint64           `json:"others"`
	Within   []jsonout.Figure `json:"within"`        // by band: probability to be found
	Distance []jsonout.Figure `json:"errorDistance"` // by band: of the cosine; 0 where not counted
	Sums     []jsonout.Figure `json:"errorSums"`
}

type jsonWidth struct {
	Bits       int             `json:"bits"`
	Widen      string          `json:"widen,omitempty"`
	LeastK     *int            `json:"leastK,omitempty"` // of the recall wanted
	Fits       bool            `json:"fits"`             // precision there is as wanted
	Thresholds []jsonThreshold `json:"thresholds"`
}

type jsonThreshold struct {
	K              int             `json:"k"`
	Found          jsonout.Figure  `json:"found"`
	Hits           jsonout.Figure  `json:"hits"`
	Recall         *jsonShare      `json:"recall,omitempty"`
	Precision      *jsonShare      `json:"precision,omitempty"`
	ModelRecall    *jsonout.Figure `json:"modelRecall,omitempty"`
	ModelPrecision *jsonout.Figure `json:"modelPrecision,omitempty"`
}

type jsonShare struct {
	Value jsonout.Figure `json:"value"`
	Low   jsonout.Figure `json:"low"` // of the 95% interval
	High  jsonout.Figure `json:"high"`
}

type jsonSwitch struct {
	To         jsonHash        `json:"to"`
	Thresholds []jsonThreshold `json:"thresholds"`
	LeastK     *int            `json:"leastK,omitempty"` // of the recall wanted
	Near       *jsonShift      `json:"nearDuplicates,omitempty"`
	Others     *jsonShift      `json:"others,omitempty"`
	SameVector jsonout.Figure  `json:"sameVectorDistance"`
	Workers    int             `json:"workers"`
	From       jsonout.Figure  `json:"secondsPerMillionNow"`
	Anew       jsonout.Figure  `json:"secondsPerMillionAnew"`
}

type jsonShift struct {
	Pairs    uint64         `json:"pairs"`
	Mean     jsonout.Figure `json:"mean"`
	Absolute jsonout.Figure `json:"meanAbsolute"`
	Most     int            `json:"most"`
}

func (c Report) writeJSON(w io.Writer) error {
	j := jsonCalibration{
		Data: c.Data, Hash: jsonHashOf(c.Hash, c.Bits), Bits: c.Bits, Weights: c.Weights, Cosine: c.Cosine, Recall: c.Recall, Precision: c.Precision,
		Vectors: c.Given, Sample: c.Used, Empty: c.Skipped, Pairs: c.Pairs, Copies: c.Copies, Near: c.Near, Note: c.Note, Bands: []jsonCosines{}, Widths: []jsonWidth{},
	}
	if s := c.Suggestion; s != nil {
		j.Suggestion = &jsonSuggestion{s.Bits, s.K, unlessNone(s.Widen), s.Met, s.Sure}
	}
	if u := c.Unsure; u != nil {
		j.Unsure = &jsonUnsure{K: u.K, Ignored: u.Ignored, Plain: u.Plain, Matched: u.Matched, Near: u.Near, Others: u.Others}
	}
	for _, b := range c.Bands {
		if !b.Copies {
			if u := j.Unsure; u != nil {
				u.Within, u.Distance, u.Sums = append(u.Within, jsonout.Figure(b.WithinUnsure)), append(u.Distance, jsonout.Figure(b.ErrorDistance)), append(u.Sums, jsonout.Figure(b.ErrorSums))
			}
			j.Bands = append(j.Bands, jsonCosines{
				jsonout.Figure(b.Low), jsonout.Figure(b.High), b.Pairs, jsonout.Figure(b.Mean), jsonout.Figure(b.Deviation), jsonout.Figure(b.ModelMean), jsonout.Figure(b.ModelDeviation), b.Histogram,
				jsonout.Figures(b.Within), jsonout.Figures(b.ModelWithin),
			})
		}
	}
	for _, width := range c.Widths {
		j.Widths = append(j.Widths, jsonWidth{width.Bits, unlessNone(width.Widen), leastOf(width.Least), width.Fits, jsonThresholds(width.Thresholds)})
	}
	if s := c.Switch; s != nil {
		j.Switch = &jsonSwitch{
			jsonHashOf(*c.To, c.Bits), jsonThresholds(s.Thresholds), leastOf(s.Least), jsonShiftOf(s.Near), jsonShiftOf(s.Others), jsonout.Figure(s.SameVector), s.To.Workers,
			jsonout.Figure(s.From.Million().Seconds()), jsonout.Figure(s.To.Million().Seconds()),
		}
	}
	return jsonout.Write(w, j)
}

func jsonHashOf(h Hash, bits int) jsonHash {
	j := jsonHash{Name: h.Family.Name, Encoding: h.Encoding.String(), Seed: h.Seed}
	if bits > h.Family.Bits {
		j.Widen = h.Widen.String()
	}
	return j
}

// leastOf is nil for -1, which stands for no threshold.
func leastOf(k int) *int {
	if k < 0 {
		return nil
	}
	return &k
}

func unlessNone(widen string) string {
	if widen == "none" {
		return ""
	}
	return widen
}

func jsonThresholds(list []Threshold) []jsonThreshold {
	var out []jsonThreshold
	for _, t := range list {
		one := jsonThreshold{K: t.K, Found: jsonout.Figure(t.Found), Hits: jsonout.Figure(t.Hits), Recall: jsonShareOf(t.Recall), Precision: jsonShareOf(t.Precision)}
		if model := jsonout.Figure(t.ModelRecall); t.Recall.Defined {
			one.ModelRecall = &model
		}
		if model := jsonout.Figure(t.ModelPrecision); t.Precision.Defined {
			one.ModelPrecision = &model
		}
		out = append(out, one)
	}
	return out
}

func jsonShareOf(e Estimate) *jsonShare {
	if !e.Defined {
		return nil
	}
	return &jsonShare{jsonout.Figure(e.Value), jsonout.Figure(e.Low), jsonout.Figure(e.High)}
}

func jsonShiftOf(s Shift) *jsonShift {
	if s.Pairs == 0 {
		return nil
	}
	return &jsonShift{s.Pairs, jsonout.Figure(s.Mean), jsonout.Figure(s.Absolute), s.Most}
}
