package compare

import (
	"encoding/csv"
	"strconv"
	"strings"

	"simhashkit/internal/texttable"
)

var csvHeader = []string{"config", "unit", "exact", "better", "threshold", "old_column", "new_column", "benchmark",
	"old", "old_lo", "old_hi", "old_samples", "old_runs", "new", "new_lo", "new_hi", "new_samples", "new_runs",
	"change", "change_lo", "change_hi", "p", "detectable", "verdict", "withheld", "stretched"}

// csv writes one line for each row. Values that do not exist, and infinite ones, are empty cells;
// no text is a formula where the file is opened as a spreadsheet.
func (r *Report) csv() string {
	var out strings.Builder
	w := csv.NewWriter(&out)
	write := func(line []string) { _ = w.Write(line) } // a strings.Builder takes everything
	write(csvHeader)
	for _, t := range r.Tables {
		var config []string
		for _, f := range t.Config {
			config = append(config, f.Name+": "+f.Value)
		}
		for _, row := range t.Rows {
			line := []string{texttable.CSVText(strings.Join(config, "; ")), texttable.CSVText(t.Unit), strconv.FormatBool(t.Exact), betterNames[t.Better],
				csvNumber(t.Threshold), texttable.CSVText(t.Old), texttable.CSVText(t.New), texttable.CSVText(row.Name)}
			for _, s := range []Side{row.Old, row.New} {
				if s.Samples == 0 {
					line = append(line, "", "", "", "0", "0")
					continue
				}
				line = append(line, csvNumber(s.Median), csvNumber(s.Lo), csvNumber(s.Hi), strconv.Itoa(s.Samples), strconv.Itoa(s.Runs))
			}
			if e := row.Effect; row.Verdict.Compared() {
				line = append(line, csvNumber(e.Change), csvNumber(e.Lo), csvNumber(e.Hi), csvNumber(e.P), csvNumber(e.Detectable))
			} else {
				line = append(line, "", "", "", "", "")
			}
			write(append(line, string(row.Verdict), string(row.Withheld), strconv.FormatBool(row.Effect.Stretched)))
		}
	}
	w.Flush()
	return out.String()
}

var betterNames = map[int]string{-1: "lower", 0: "", +1: "higher"}
