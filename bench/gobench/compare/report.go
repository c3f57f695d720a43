package compare

// Report is what a comparison has found.
type Report struct {
	Alpha  float64 // the bound on any false alarm
	Tables []Table
	Gaps   []Gap    // what could not be compared
	Notes  []string // what a reader should know, and no reason for an exit code
	// what was not measured, since the programs of both sides are the same, byte for byte
	Same []string
}

// Count returns how many rows have each verdict.
func (r *Report) Count() map[Verdict]int {
	count := map[Verdict]int{}
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			count[row.Verdict]++
		}
	}
	return count
}

// OpenGaps returns how many gaps are not accepted.
func (r *Report) OpenGaps() int {
	open := 0
	for _, g := range r.Gaps {
		if !g.Accepted {
			open++
		}
	}
	return open
}
