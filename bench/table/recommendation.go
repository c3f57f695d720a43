package table

import (
	"fmt"
	"io"
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
	if _, err := fmt.Fprintf(w, "%s\n\n", strings.Join(lines, "\n")); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	return r, nil
}
