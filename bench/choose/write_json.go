package choose

import (
	"simhashkit/bench/advice"
	"simhashkit/bench/terms"
	"simhashkit/internal/jsonout"
)

// jsonAnswer is an answer as a JSON object. What does not exist is left out.
type jsonAnswer struct {
	Answer     string          `json:"answer"` // in words
	Hash       string          `json:"hash"`
	Encoding   string          `json:"encoding"`
	Good       bool            `json:"good"` // the hash is known to be good, or the default where nobody can tell
	Bits       int             `json:"bits"`
	K          int             `json:"k"`
	Widen      string          `json:"widen,omitempty"`
	Cosine     jsonout.Figure  `json:"cosine"` // from which on pairs are near-duplicates
	Recall     jsonout.Figure  `json:"recallWanted"`
	Precision  jsonout.Figure  `json:"precisionWanted"`
	Met        *bool           `json:"targetMet,omitempty"`
	Target     string          `json:"target,omitempty"` // in words
	Note       string          `json:"note,omitempty"`   // why hashes were not judged by the data
	Data       string          `json:"data,omitempty"`
	Vectors    int             `json:"vectors,omitempty"`
	Sample     int             `json:"sample,omitempty"`
	Near       uint64          `json:"nearDuplicates,omitempty"` // in the sample, without copies
	Thresholds []jsonThreshold `json:"thresholds"`
	Timed      string          `json:"timed"` // what the times are of
	Hashes     []jsonHash      `json:"hashes"`
}

type jsonThreshold struct {
	Bits   int             `json:"bits"`
	K      int             `json:"k"`
	Widen  string          `json:"widen,omitempty"`
	Finds  jsonout.Figure  `json:"recall"` // by theory where precision is missing
	Real   *jsonout.Figure `json:"precision,omitempty"`
	Found  jsonout.Figure  `json:"foundPerMillionVectors"`
	AtMost bool            `json:"atMost,omitempty"` // none was found in the sample
}

type jsonHash struct {
	Name        string          `json:"name"`
	Encoding    string          `json:"encoding"`
	Bits        int             `json:"bits"`
	Verdict     string          `json:"verdict"`
	Why         string          `json:"why"`
	Nanoseconds *jsonout.Figure `json:"nanosecondsPerFeature,omitempty"`
	Default     bool            `json:"default,omitempty"`
}

func (a *Answer) json() jsonAnswer {
	taken, m, c := a.taken(), a.Ranking(), a.Calibration
	j := jsonAnswer{
		Answer: a.lead(), Hash: a.Hash.Family.Name, Encoding: a.Hash.Encoding.String(), Good: m.Best != nil, Bits: taken.Bits, K: taken.K, Widen: unlessNone(taken.Widen),
		Cosine: jsonout.Figure(a.Options.Cosine), Recall: jsonout.Figure(a.Options.Recall), Precision: jsonout.Figure(a.Options.Precision),
		Target: a.target(), Note: a.Note, Timed: m.Times.Of,
	}
	if c != nil {
		j.Data, j.Vectors, j.Sample, j.Near = a.Options.Data.Description, c.Given, c.Used, c.Near
		if c.Suggestion != nil {
			j.Met = &c.Suggestion.Met
		}
	}
	for _, t := range a.Thresholds() {
		one := jsonThreshold{Bits: t.Bits, K: t.K, Widen: unlessNone(t.Widen), Finds: jsonout.Figure(t.Finds), Found: jsonout.Figure(t.Found), AtMost: t.AtMost}
		if real := jsonout.Figure(t.Real); t.Real >= 0 {
			one.Real = &real
		}
		j.Thresholds = append(j.Thresholds, one)
	}
	for _, choice := range a.Hashes.Choices {
		j.Hashes = append(j.Hashes, jsonOf(choice, m.Times))
	}
	return j
}

func jsonOf(c *advice.Choice, times advice.Times) jsonHash {
	j := jsonHash{Name: c.Hash, Encoding: c.Encoding, Bits: c.Bits, Verdict: terms.VerdictWord(c.Verdict()), Why: c.Worst().Why(), Default: c.IsDefault()}
	if t, ok := times.Get(c); ok {
		ns := jsonout.Figure(t.Median)
		j.Nanoseconds = &ns
	}
	return j
}

func unlessNone(widen string) string {
	if widen == "none" {
		return ""
	}
	return widen
}
