package main

import (
	"io"

	"simhashkit/bench/calibrate"
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
	Note       string          `json:"note,omitempty"` // why there is no suggestion
	Bands      []jsonCosines   `json:"bands"`
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
	Sure  bool   `json:"sure"` // also the lower ends of the intervals are as wanted
}

type jsonCosines struct {
	Low            jsonFigure   `json:"low"` // cosine
	High           jsonFigure   `json:"high"`
	Pairs          uint64       `json:"pairs"`
	Mean           jsonFigure   `json:"mean"` // distance in bits
	Deviation      jsonFigure   `json:"deviation"`
	ModelMean      jsonFigure   `json:"modelMean"`
	ModelDeviation jsonFigure   `json:"modelDeviation"`
	Histogram      []uint64     `json:"histogram"`   // pairs by distance, from 0
	Within         []jsonFigure `json:"within"`      // probability of d <= k, by k
	ModelWithin    []jsonFigure `json:"modelWithin"` // the same by the model
}

type jsonWidth struct {
	Bits       int             `json:"bits"`
	Widen      string          `json:"widen,omitempty"`
	LeastK     *int            `json:"leastK,omitempty"` // of the recall wanted
	Fits       bool            `json:"fits"`             // precision there is as wanted
	Thresholds []jsonThreshold `json:"thresholds"`
}

type jsonThreshold struct {
	K              int         `json:"k"`
	Found          uint64      `json:"found"`
	Hits           uint64      `json:"hits"`
	Recall         *jsonShare  `json:"recall,omitempty"`
	Precision      *jsonShare  `json:"precision,omitempty"`
	ModelRecall    *jsonFigure `json:"modelRecall,omitempty"`
	ModelPrecision *jsonFigure `json:"modelPrecision,omitempty"`
}

type jsonShare struct {
	Value jsonFigure `json:"value"`
	Low   jsonFigure `json:"low"` // of the 95% interval
	High  jsonFigure `json:"high"`
}

type jsonSwitch struct {
	To         jsonHash        `json:"to"`
	Thresholds []jsonThreshold `json:"thresholds"`
	LeastK     *int            `json:"leastK,omitempty"` // of the recall wanted
	Near       *jsonShift      `json:"nearDuplicates,omitempty"`
	Others     *jsonShift      `json:"others,omitempty"`
	SameVector jsonFigure      `json:"sameVectorDistance"`
	Workers    int             `json:"workers"`
	From       jsonFigure      `json:"secondsPerMillionNow"`
	Anew       jsonFigure      `json:"secondsPerMillionAnew"`
}

type jsonShift struct {
	Pairs    uint64     `json:"pairs"`
	Mean     jsonFigure `json:"mean"`
	Absolute jsonFigure `json:"meanAbsolute"`
	Most     int        `json:"most"`
}

func writeCalibrationJSON(w io.Writer, c calibrated) error {
	o := c.flags.options
	j := jsonCalibration{
		Data: c.description, Hash: jsonHashOf(o.Hash, c.Bits), Bits: c.Bits, Weights: c.flags.weights, Cosine: c.Cosine, Recall: c.Recall, Precision: c.Precision,
		Vectors: c.Given, Sample: c.Used, Empty: c.Skipped, Pairs: c.Pairs, Copies: c.Copies, Near: c.Near, Note: c.Note, Bands: []jsonCosines{}, Widths: []jsonWidth{},
	}
	if s := c.Suggestion; s != nil {
		j.Suggestion = &jsonSuggestion{s.Bits, s.K, unlessNone(s.Widen), s.Sure}
	}
	for _, b := range c.Bands {
		if !b.Copies {
			j.Bands = append(j.Bands, jsonCosines{
				jsonFigure(b.Low), jsonFigure(b.High), b.Pairs, jsonFigure(b.Mean), jsonFigure(b.Deviation), jsonFigure(b.ModelMean), jsonFigure(b.ModelDeviation), b.Histogram,
				jsonFigures(b.Within), jsonFigures(b.ModelWithin),
			})
		}
	}
	for _, width := range c.Widths {
		j.Widths = append(j.Widths, jsonWidth{width.Bits, unlessNone(width.Widen), leastOf(width.Least), width.Fits, jsonThresholds(width.Thresholds)})
	}
	if s := c.Switch; s != nil {
		j.Switch = &jsonSwitch{
			jsonHashOf(*o.To, c.Bits), jsonThresholds(s.Thresholds), leastOf(s.Least), jsonShiftOf(s.Near), jsonShiftOf(s.Others), jsonFigure(s.SameVector), s.To.Workers,
			jsonFigure(s.From.Million().Seconds()), jsonFigure(s.To.Million().Seconds()),
		}
	}
	return writeJSON(w, j)
}

func jsonHashOf(h calibrate.Hash, bits int) jsonHash {
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

func jsonThresholds(list []calibrate.Threshold) []jsonThreshold {
	var out []jsonThreshold
	for _, t := range list {
		one := jsonThreshold{K: t.K, Found: t.Found, Hits: t.Hits, Recall: jsonShareOf(t.Recall), Precision: jsonShareOf(t.Precision)}
		if model := jsonFigure(t.ModelRecall); t.Recall.Defined {
			one.ModelRecall = &model
		}
		if model := jsonFigure(t.ModelPrecision); t.Precision.Defined {
			one.ModelPrecision = &model
		}
		out = append(out, one)
	}
	return out
}

func jsonShareOf(e calibrate.Estimate) *jsonShare {
	if !e.Defined {
		return nil
	}
	return &jsonShare{jsonFigure(e.Value), jsonFigure(e.Low), jsonFigure(e.High)}
}

func jsonShiftOf(s calibrate.Shift) *jsonShift {
	if s.Pairs == 0 {
		return nil
	}
	return &jsonShift{s.Pairs, jsonFigure(s.Mean), jsonFigure(s.Absolute), s.Most}
}
