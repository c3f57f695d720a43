package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"simhashkit/bench/doctor"
	"simhashkit/bench/quality"
	"simhashkit/internal/texttable"
)

// writeExamination writes a table with a line for each case, and the verdict.
func writeExamination(w io.Writer, what string, e *doctor.Examination) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s, %d bits", what, e.Bits)
	if e.Encoding != "" {
		fmt.Fprintf(&out, ", %s", e.Encoding)
	}
	fmt.Fprintf(&out, ", %d %s of each pattern\n\n", e.Results[0].Keyings, plural(e.Results[0].Keyings, "keying", "keyings"))
	t := texttable.New("pattern", "weights", "effective bits", "95%", "cosine ≥ 0.9", "95%", "dead or copied", "verdict")
	right := func(n int) pretty.ColumnConfig {
		return pretty.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight}
	}
	t.SetColumnConfigs([]pretty.ColumnConfig{right(3), right(4), right(5), right(6), right(7)})
	for _, r := range e.Results {
		all, allInterval := effective(r.All)
		near, nearInterval := effective(r.Cos90)
		t.AppendRow(pretty.Row{r.Pattern, r.Weights, all, allInterval, near, nearInterval, defects(r.Bit), string(r.Verdict.Judgement)})
	}
	fmt.Fprintf(&out, "%s\n\n%s\n", texttable.Render(t), e.Words)
	if c := e.Cost; c != nil {
		fmt.Fprintf(&out, "\n%.4g ns per key for %d keys, which includes the pipe and starting the command %d times (%v each)\n", c.PerKey(), c.Keys, c.Runs,
			c.Start.Round(100*time.Microsecond))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// effective shows the effective bits of a band.
func effective(b quality.Band) (value, interval string) {
	if !b.Defined {
		return "–", ""
	}
	return fmt.Sprintf("%.1f", b.Effective.Value), fmt.Sprintf("%.1f – %.1f", b.Effective.Low, b.Effective.High)
}

func defects(q quality.BitQuality) string {
	switch constant := len(q.Constant); {
	case !q.Tested:
		return "–"
	case q.Dependent == 0:
		return "0"
	case constant == 0:
		return fmt.Sprintf("%d copied", q.Dependent)
	case constant == q.Dependent:
		return fmt.Sprintf("%d dead", constant)
	default:
		return fmt.Sprintf("%d dead, %d copied", constant, q.Dependent-constant)
	}
}

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
	Words        string    `json:"words"`
}

type jsonBand struct {
	Pairs         int        `json:"pairs"`
	EffectiveBits jsonFigure `json:"effectiveBits"`
	Low           jsonFigure `json:"low"` // of the 95% interval
	High          jsonFigure `json:"high"`
	Bias          jsonFigure `json:"bias"` // of the angle, radians
	RMSE          jsonFigure `json:"rmse"`
	VarianceRatio jsonFigure `json:"varianceRatio"`
}

type jsonAsked struct {
	Keys                 int        `json:"keys"`
	Runs                 int        `json:"runs"`
	NanosecondsPerKey    jsonFigure `json:"nsPerKeyWithPipe"`
	NanosecondsForAStart int64      `json:"nsPerStart"`
}

func writeExaminationJSON(w io.Writer, what string, e *doctor.Examination) error {
	j := jsonExamination{Hash: what, Encoding: e.Encoding, Bits: e.Bits, Verdict: string(e.Judgement), Words: e.Words}
	for _, r := range e.Results {
		j.Cases = append(j.Cases, jsonCase{
			Pattern: r.Pattern, Weights: r.Weights, Keyings: r.Keyings, All: jsonBandOf(r.All), Cos90: jsonBandOf(r.Cos90),
			ConstantBits: append([]int{}, r.Bit.Constant...), CopiedBits: r.Bit.Dependent - len(r.Bit.Constant),
			Verdict: string(r.Verdict.Judgement), Words: r.Verdict.Words,
		})
	}
	if c := e.Cost; c != nil {
		j.Asked = &jsonAsked{c.Keys, c.Runs, jsonFigure(c.PerKey()), int64(c.Start)}
	}
	return writeJSON(w, j)
}

func jsonBandOf(b quality.Band) *jsonBand {
	if !b.Defined {
		return nil
	}
	return &jsonBand{
		b.Pairs, jsonFigure(b.Effective.Value), jsonFigure(b.Effective.Low), jsonFigure(b.Effective.High), jsonFigure(b.Hash.Bias), jsonFigure(b.Hash.RMSE),
		jsonFigure(b.VarianceRatio),
	}
}
