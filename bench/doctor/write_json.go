package doctor

import (
	"io"

	"simhashkit/bench/quality"
	"simhashkit/internal/jsonout"
)

// jsonExamination is the examination as a JSON object. What is not known is left out.
type jsonExamination struct {
	Hash     string     `json:"hash"`
	Encoding string     `json:"encoding,omitempty"`
	Bits     int        `json:"bits"`
	Verdict  string     `json:"verdict"` // good, weak, undecided
	Words    string     `json:"words"`
	Cases    []jsonCase `json:"cases"`
	Asked    *jsonAsked `json:"asked,omitempty"`
}

type jsonCase struct {
	Pattern      string    `json:"pattern"`
	Weights      string    `json:"weights"`
	Keyings      int       `json:"keyings"`
	All          *jsonBand `json:"all,omitempty"`
	Cos90        *jsonBand `json:"cos90,omitempty"`
	ConstantBits []int     `json:"constantBits"`
	CopiedBits   int       `json:"copiedBits"`
	Verdict      string    `json:"verdict"`
}

type jsonBand struct {
	Pairs         int     `json:"pairs"`
	EffectiveBits float64 `json:"effectiveBits"`
	Low           float64 `json:"low"` // of the 95% interval
	High          float64 `json:"high"`
	Bias          float64 `json:"bias"` // of the angle, radians
	RMSE          float64 `json:"rmse"`
	VarianceRatio float64 `json:"varianceRatio"`
}

type jsonAsked struct {
	Keys                 int     `json:"keys"`
	Runs                 int     `json:"runs"`
	NanosecondsPerKey    float64 `json:"nsPerKeyWithPipe"`
	NanosecondsForAStart int64   `json:"nsPerStart"`
}

func (e *Examination) writeJSON(w io.Writer, what string) error {
	j := jsonExamination{Hash: what, Encoding: e.Encoding, Bits: e.Bits, Verdict: e.Judgement.String(), Words: e.Words}
	for _, r := range e.Results {
		j.Cases = append(j.Cases, jsonCase{
			Pattern: r.Pattern, Weights: r.Weights, Keyings: r.Keyings, All: jsonBandOf(r.All), Cos90: jsonBandOf(r.Cos90),
			ConstantBits: append([]int{}, r.Bit.Constant...), CopiedBits: len(r.Bit.Copied),
			Verdict: r.Verdict.String(),
		})
	}
	if c := e.Cost; c != nil {
		j.Asked = &jsonAsked{c.Keys, c.Runs, c.PerKey(), int64(c.Start)}
	}
	return jsonout.Write(w, j)
}

func jsonBandOf(b quality.Band) *jsonBand {
	if !b.Defined {
		return nil
	}
	return &jsonBand{
		b.Pairs, b.Effective.Value, b.Effective.Low, b.Effective.High, b.Hash.Bias, b.Hash.RMSE,
		b.VarianceRatio,
	}
}
