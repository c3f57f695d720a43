// Package report turns result files into one HTML page: which hash to use, speed against quality,
// kernels by length, what finding near-duplicates costs, one comparison of two files, and how
// benchmarks went over time. Every figure names the row that it is from.
//
// It says no more than the rows do, and which hash to use is what package advice says. Where rows
// are missing it says what would measure them.
package report

import (
	"fmt"
	"io"
	"slices"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/report/page"
	"simhashkit/bench/terms"
)

// Source is a result file and the name to call it by.
type Source = advice.Source

// The commands that make the rows of a section.
const (
	commandQuality = "fphash bench"
	commandKernels = "fphash bench --suite kernels"
	commandSearch  = "fphash bench --suite search"
)

// Contents is what a report is about. Parts that are nil are left out, and so are the sections on
// hashes where there is another part and no file has rows of them.
type Contents struct {
	Sources    []Source
	Comparison *compare.Report
	Trends     *Trends
}

// Write writes the report as one HTML file, which asks for nothing from anywhere. The same contents
// give the same bytes. It takes about a second for 10^5 rows.
func Write(w io.Writer, c Contents) error {
	r := newReport(c.Sources)
	p := page.Page{Title: "Which hash for simhash? Measured quality and speed", Subtitle: r.subtitle()}
	if c.Trends != nil {
		p.Sections = append(p.Sections, trends(c.Trends))
	}
	if c.Comparison != nil {
		p.Sections = slices.Insert(p.Sections, 0, comparison(c.Comparison))
	}
	hashes, searched := r.aboutHashes(), r.searched()
	if len(p.Sections) == 0 && !searched {
		hashes = true
	}
	switch {
	case hashes:
	case c.Comparison != nil:
		p.Title = sentence(c.Comparison.Conclusion())
	case c.Trends != nil:
		p.Title = "Benchmarks over time"
	default:
		p.Title = "Near-duplicates: measured speed of the search"
	}
	if hashes {
		p.Sections = append(p.Sections, r.recommendation(), r.speedAndQuality(), r.kernels())
	}
	if hashes || searched {
		p.Sections = append(p.Sections, r.search())
	}
	if s := r.doubts(); len(s.Blocks) > 0 {
		p.Sections = append(p.Sections, s)
	}
	if c.Trends != nil && len(c.Sources) == 0 {
		p.Subtitle = page.Words("By the results of %s.", plural(len(c.Trends.Occasions), "occasion", "occasions"))
	} else {
		p.Sections = append(p.Sections, r.sources())
	}
	if err := page.Write(w, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// aboutHashes reports whether a file has rows of any section on hashes.
func (r *report) aboutHashes() bool {
	return slices.ContainsFunc([]string{terms.Quality, terms.Hash, terms.Accumulate, terms.Sketch}, r.set.Has)
}

// maxBits is the width of the widest fingerprint.
const maxBits = 4096

// report is what the sections share.
type report struct {
	set       *advice.Set
	machines  []advice.Machine
	quality   []advice.Cell // at any width
	advice    *advice.Recommendation
	conflicts []advice.Conflict
}

func newReport(sources []Source) *report {
	r := &report{set: advice.NewSet(sources)}
	r.machines = r.set.Machines()
	r.quality = r.exact(terms.Quality)
	r.advice = advice.Recommend(r.set, "")
	return r
}

// exact returns the cells of that base and notes where files do not agree.
func (r *report) exact(base string) []advice.Cell {
	cells, conflicts := r.set.Exact(base)
	r.conflicts = append(r.conflicts, conflicts...)
	return cells
}
