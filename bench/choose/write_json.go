package choose

// jsonAnswer is an answer as a JSON object. What does not exist is left out.
type jsonAnswer struct {
	Answer     string      `json:"answer"` // in words
	Hash       string      `json:"hash"`
	Encoding   string      `json:"encoding"`
	Verdict    string      `json:"verdict"` // weak where all hashes are; the hash is then the default
	Bits       int         `json:"bits"`
	K          int         `json:"k"`
	Widen      string      `json:"widen,omitempty"`
	Cosine     float64     `json:"cosine"` // from which on pairs are near-duplicates
	Recall     float64     `json:"recallWanted"`
	Precision  float64     `json:"precisionWanted"`
	Met        bool        `json:"targetMet"`
	Data       string      `json:"data,omitempty"`
	Pairs      *jsonPairs  `json:"pairs,omitempty"`
	Command    string      `json:"command,omitempty"` // that drops them
	Thresholds []Threshold `json:"thresholds"`
	Timed      string      `json:"timed,omitempty"` // what the times are of
	Hashes     []jsonHash  `json:"hashes"`
}

// jsonPairs are those that thresholds are judged by.
type jsonPairs struct {
	Vectors int     `json:"vectors"`
	Sample  int     `json:"sample"`
	Near    uint64  `json:"nearDuplicates"` // in the sample, without copies
	Copies  uint64  `json:"copies"`
	Edits   int     `json:"edits"`
	Low     float64 `json:"halfFromCosine"`
	High    float64 `json:"halfToCosine"`
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
	taken, m := a.Taken(), a.Ranking()
	j := jsonAnswer{
		Answer: a.lead(), Hash: a.Hash.Name, Encoding: a.Options.Encoding.String(), Verdict: a.Hashes.Verdict().String(), Bits: taken.Bits, K: taken.K, Widen: taken.Widen,
		Cosine: a.Options.Cosine, Recall: a.Options.Recall, Precision: a.Options.Precision, Met: a.Met,
		Command: a.command(), Thresholds: a.Thresholds, Timed: m.Times.Of,
	}
	if p := a.Pairs; p != nil {
		j.Data = a.Options.Data.Description
		j.Pairs = &jsonPairs{p.Vectors, p.Sample, p.Near, p.Copies, p.Edits, p.Low, p.High}
	}
	for _, c := range a.Hashes.Choices {
		h := jsonHash{Name: c.Hash, Encoding: c.Encoding, Bits: c.Bits, Verdict: c.Verdict().String(), Why: c.Worst().Why(), Default: c.IsDefault()}
		if t, ok := m.Times.Get(c); ok {
			h.Nanoseconds = &t.Median
		}
		j.Hashes = append(j.Hashes, h)
	}
	return j
}
