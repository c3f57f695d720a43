package choose

import "simhashkit/bench/advice"

// jsonAnswer is an answer as a JSON object. What does not exist is left out.
type jsonAnswer struct {
	Answer     string      `json:"answer"` // in words
	Hash       string      `json:"hash"`
	Encoding   string      `json:"encoding"`
	Good       bool        `json:"good"` // the hash is known to be good, or the default where nobody can tell
	Bits       int         `json:"bits"`
	K          int         `json:"k"`
	Widen      string      `json:"widen,omitempty"`
	Cosine     float64     `json:"cosine"` // from which on pairs are near-duplicates
	Recall     float64     `json:"recallWanted"`
	Precision  float64     `json:"precisionWanted"`
	Met        *bool       `json:"targetMet,omitempty"`
	Target     string      `json:"target,omitempty"` // in words
	Data       string      `json:"data,omitempty"`
	Vectors    int         `json:"vectors,omitempty"`
	Sample     int         `json:"sample,omitempty"`
	Near       uint64      `json:"nearDuplicates,omitempty"` // in the sample, without copies
	Command    string      `json:"command,omitempty"`        // that drops them
	Thresholds []Threshold `json:"thresholds"`
	Timed      string      `json:"timed,omitempty"` // what the times are of; texts have none
	Hashes     []jsonHash  `json:"hashes"`
}

type jsonHash struct {
	Name        string   `json:"name"`
	Encoding    string   `json:"encoding"`
	Bits        int      `json:"bits"`
	Verdict     string   `json:"verdict"`
	Why         string   `json:"why"`
	Nanoseconds *float64 `json:"nanosecondsPerFeature,omitempty"`
	Default     bool     `json:"default,omitempty"`
}

func (a *Answer) json() jsonAnswer {
	taken, m, c := a.taken(), a.Ranking(), a.Calibration
	j := jsonAnswer{
		Answer: a.lead(), Hash: a.Hash.Family.Name, Encoding: a.Hash.Encoding.String(), Good: m.Best != nil, Bits: taken.Bits, K: taken.K, Widen: taken.Widen,
		Cosine: a.Options.Cosine, Recall: a.Options.Recall, Precision: a.Options.Precision,
		Target: a.target(), Command: a.command(), Thresholds: a.Thresholds(), Timed: m.Times.Of,
	}
	if c != nil {
		j.Data, j.Vectors, j.Sample, j.Near = a.Options.Data.Description, c.Given, c.Used, c.Near
		if c.Suggestion != nil {
			j.Met = &c.Suggestion.Met
		}
	}
	for _, choice := range a.Hashes.Choices {
		j.Hashes = append(j.Hashes, jsonOf(choice, m.Times))
	}
	return j
}

func jsonOf(c *advice.Choice, times advice.Times) jsonHash {
	j := jsonHash{Name: c.Hash, Encoding: c.Encoding, Bits: c.Bits, Verdict: c.Verdict().String(), Why: c.Worst().Why(), Default: c.IsDefault()}
	if t, ok := times.Get(c); ok {
		j.Nanoseconds = &t.Median
	}
	return j
}
