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

// WriteRecommendation writes which hash to use on the data set of that name or, with "", on the
// vectors of all kinds that the rows are of. It reports whether there was anything to say, as there is
// not without rows of quality.
func WriteRecommendation(w io.Writer, list []resultfile.Row, data string) (bool, error) {
	r := advice.Recommend(oneRun(list), data)
	if len(r.Choices) == 0 {
		return false, nil
	}
	var lines []string
	say := func(words string) { lines = append(lines, texttable.Wrap(words, verdictWidth)...) }
	on := r.Machines[0] // one run has one
	say(r.Lead(on))
	for _, words := range r.Details(on) {
		say(words)
	}
	if bad := slices.Concat(r.Weak, r.Undecided); data != "" && len(bad) > 0 {
		lines = append(lines, "", "Weak and undecided on "+data, "", faults(bad))
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", strings.Join(lines, "\n")); err != nil {
		return true, fmt.Errorf("table: %w", err)
	}
	return true, nil
}

// faults lists why choices are judged as they are.
func faults(choices []*advice.Choice) string {
	var lines []string
	for _, text := range advice.Faults(choices) {
		lines = append(lines, "  "+strings.Join(texttable.Wrap(text, lineWidth-4), "\n    "))
	}
	return strings.Join(lines, "\n")
}
