package table

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/texttable"
)

const (
	verdictWidth = 80 // of sentences
	lineWidth    = 120
)

// WriteRecommendation writes which hash to use, by the rows of one run, and returns the
// recommendation. Without rows of quality it has no choices, and nothing is written.
func WriteRecommendation(w io.Writer, list []resultfile.Row) (*advice.Recommendation, error) {
	r := advice.Recommend(oneRun(list))
	if len(r.Choices) == 0 {
		return r, nil
	}
	on := r.Machines[0] // one run has one
	var lines []string
	for _, words := range append([]string{r.Lead(on)}, r.Details(on)...) {
		lines = append(lines, texttable.Wrap(words, verdictWidth)...)
	}
	if bad := slices.Concat(r.Weak, r.Undecided); r.Data != "" && len(bad) > 0 {
		lines = append(lines, "", "Weak and undecided on "+r.Data, "", faults(bad))
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", strings.Join(lines, "\n")); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	return r, nil
}

// faults lists why choices are judged as they are.
func faults(choices []*advice.Choice) string {
	var lines []string
	for _, text := range advice.Faults(choices) {
		lines = append(lines, "  "+strings.Join(texttable.Wrap(text, lineWidth-4), "\n    "))
	}
	return strings.Join(lines, "\n")
}
