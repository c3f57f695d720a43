package compare

import (
	"encoding/json"
	"strings"
)

// The lines of the JSON format. A number that does not exist, or is infinite, is absent.
type (
	jsonRow struct {
		Type      string            `json:"type"` // comparison
		Config    map[string]string `json:"config"`
		Unit      string            `json:"unit"`
		Exact     bool              `json:"exact"`
		Better    string            `json:"better,omitempty"`
		Threshold float64           `json:"threshold"`
		Benchmark string            `json:"benchmark"`
		Old       *jsonSide         `json:"old,omitempty"`
		New       *jsonSide         `json:"new,omitempty"`
		Effect    *jsonEffect       `json:"effect,omitempty"`
		Verdict   Verdict           `json:"verdict"`
		// what it would be with gaps of the kind runs accepted
		Withheld Verdict `json:"withheld,omitempty"`
	}
	jsonSide struct {
		Column  string   `json:"column"`
		Center  float64  `json:"center"`
		Lo      *float64 `json:"lo,omitempty"`
		Hi      *float64 `json:"hi,omitempty"`
		Samples int      `json:"samples"`
		Runs    int      `json:"runs"`
		File    string   `json:"file"`
		Line    int      `json:"line"`
	}
	jsonEffect struct {
		Change     *float64 `json:"change,omitempty"`
		Lo         *float64 `json:"lo,omitempty"`
		Hi         *float64 `json:"hi,omitempty"`
		P          float64  `json:"p"`
		Detectable *float64 `json:"detectable,omitempty"`
		Stretched  bool     `json:"stretched,omitempty"`
	}
	jsonGap struct {
		Type string `json:"type"` // gap
		Gap
	}
	jsonNote struct {
		Type    string `json:"type"` // note
		Message string `json:"message"`
	}
	jsonSummary struct {
		Type       string          `json:"type"` // summary
		Alpha      float64         `json:"alpha"`
		Verdicts   map[Verdict]int `json:"verdicts"`
		Gaps       int             `json:"gaps"`       // that count
		Conclusion string          `json:"conclusion"` // in words
	}
)

func (r *Report) jsonl() (string, error) {
	var lines []any
	for _, t := range r.Tables {
		config := map[string]string{}
		for _, f := range t.Config {
			config[f.Name] = f.Value
		}
		for _, row := range t.Rows {
			line := jsonRow{Type: "comparison", Config: config, Unit: t.Unit, Exact: t.Exact, Better: betterNames[t.Better], Threshold: t.Threshold,
				Benchmark: row.Name, Old: row.Old.json(t.Old), New: row.New.json(t.New), Verdict: row.Verdict, Withheld: row.Withheld}
			if e := row.Effect; row.Verdict.Compared() {
				line.Effect = &jsonEffect{finite(e.Change), finite(e.Lo), finite(e.Hi), rounded(e.P), nil, e.Stretched}
				if e.Noise {
					line.Effect.Detectable = finite(e.Detectable)
				}
			}
			lines = append(lines, line)
		}
	}
	lines = append(lines, r.JSONRemarks()...)
	return JSONLines(append(lines, jsonSummary{"summary", r.Alpha, r.Count(), r.OpenGaps(), r.Verdict()}))
}

// JSONRemarks returns gaps and notes as values for lines of JSON.
func (r *Report) JSONRemarks() (lines []any) {
	for _, g := range r.Gaps {
		lines = append(lines, jsonGap{"gap", g})
	}
	for _, n := range r.Notes {
		lines = append(lines, jsonNote{"note", n})
	}
	return lines
}

// JSONLines encodes each value as a line.
func JSONLines(values []any) (string, error) {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for _, v := range values {
		if err := encoder.Encode(v); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}

func (s Side) json(column string) *jsonSide {
	if s.Samples == 0 {
		return nil
	}
	return &jsonSide{column, rounded(s.Median), finite(s.Lo), finite(s.Hi), s.Samples, s.Runs, s.File, s.Line}
}
