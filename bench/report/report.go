// Package report turns result files into one HTML file with the pictures that people decide by:
// which hash to use, speed against quality, kernels by length, and what finding near-duplicates
// costs. Every figure comes with the name of the row that it is from. What a comparison of two
// files has found is a page of its own.
//
// It says no more than the rows do, and which hash to use is what package advice says. Where rows
// are missing it says what would measure them.
package report

import (
	"fmt"
	"io"

	"simhashkit/bench/advice"
	"simhashkit/bench/report/page"
)

// Source is a result file and the name to call it by.
type Source = advice.Source

// The commands that make the rows of a section.
const (
	commandQuality = "fphash bench"
	commandKernels = "fphash bench --suite kernels"
)

// Write writes the report as one HTML file, which asks for nothing from anywhere. The same sources
// give the same bytes. It takes about a second for 10^5 rows.
func Write(w io.Writer, sources []Source) error {
	r := newReport(sources)
	p := page.Page{Title: "Which hash for simhash? Measured quality and speed", Subtitle: r.subtitle()}
	p.Sections = append(p.Sections, r.recommendation(), r.speedAndQuality(), r.kernels())
	if s := r.doubts(); len(s.Blocks) > 0 {
		p.Sections = append(p.Sections, s)
	}
	p.Sections = append(p.Sections, r.sources())
	if err := page.Write(w, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// report is what the sections share.
type report struct {
	set      *advice.Set
	machines []advice.Machine
	advice   *advice.Recommendation
}

func newReport(sources []Source) *report {
	r := &report{set: advice.NewSet(sources)}
	r.machines = r.set.Machines()
	r.advice = advice.Recommend(r.set)
	return r
}
