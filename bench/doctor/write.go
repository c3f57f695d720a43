package doctor

import (
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/perf/benchunit"

	"simhashkit/bench/quality"
	"simhashkit/internal/english"
	"simhashkit/internal/jsonout"
	"simhashkit/internal/texttable"
)

// lineWidth is that of a terminal which nobody has made wider.
const lineWidth = 80

// text is the verdict, a table with a line for each case, and what asking cost.
func (e *Examination) text(what string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n", strings.Join(texttable.Wrap(e.Words, lineWidth), "\n"))
	fmt.Fprintf(&out, "%s, %d bits", what, e.Bits)
	if e.Encoding != "" {
		fmt.Fprintf(&out, ", %s", e.Encoding)
	}
	fmt.Fprintf(&out, ", %d %s of each pattern\n\n", e.Results[0].Keyings, english.Plural(e.Results[0].Keyings, "keying", "keyings"))
	t := texttable.Aligned([]int{0, 1, 7}, "pattern", "weights", "effective bits", "95%", "cosine ≥ 0.9", "95%", "constant or copied", "verdict")
	for _, r := range e.Results {
		all, allInterval := effective(r.All)
		near, nearInterval := effective(r.Cos90)
		t.AppendRow(texttable.Row{r.Pattern, r.Weights, all, allInterval, near, nearInterval, defects(r.Bit), r.Verdict})
	}
	fmt.Fprintln(&out, texttable.Render(t))
	if c := e.Cost; c != nil {
		fmt.Fprintf(&out, "\n%s per key for %d keys, which includes the pipe and starting the\ncommand %d %s (%v each)\n", duration(c.PerKey()), c.Keys, c.Runs,
			english.Plural(c.Runs, "time", "times"), c.Start.Round(100*time.Microsecond))
	}
	return out.String()
}

// duration shows nanoseconds in the unit that they fill: 969.7µs.
func duration(nanoseconds float64) string {
	return benchunit.Scale(nanoseconds*1e-9, benchunit.Decimal) + "s"
}

// effective shows the effective bits of a band.
func effective(b quality.Band) (value, interval string) {
	if !b.Defined {
		return "–", ""
	}
	return fmt.Sprintf("%.1f", b.Effective.Value), fmt.Sprintf("%.1f – %.1f", b.Effective.Low, b.Effective.High)
}

func defects(q quality.BitQuality) string {
	switch constant, copied := len(q.Constant), len(q.Copied); {
	case !q.Tested:
		return "–"
	case constant+copied == 0:
		return "0"
	case constant == 0:
		return "copied " + quality.BitRanges(q.Copied)
	case copied == 0:
		return "constant " + quality.BitRanges(q.Constant)
	}
	return "constant " + quality.BitRanges(q.Constant) + "; copied " + quality.BitRanges(q.Copied)
}

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "json"} }

// Write writes the examination of what is named: as text with a table for a terminal, or as a JSON
// object.
func (e *Examination) Write(w io.Writer, what, format string) error {
	switch format {
	case "text":
		_, err := io.WriteString(w, e.text(what))
		return err
	case "json":
		return e.writeJSON(w, what)
	}
	return errFormat(format)
}

func errFormat(format string) error {
	return fmt.Errorf("doctor: unknown format %q; expected %s", format, strings.Join(Formats(), ", "))
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
