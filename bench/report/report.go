// Package report turns result files into one HTML file with words, pictures and tables, in which
// every figure comes with the name of the row that it is from. Beside what it says of hashes, it
// has a section on what finding near-duplicates costs, one on what deduplicating documents does,
// one on what unsure bits are good for, one on what a comparison of two files has found, and one on
// how benchmarks went over time.
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
	"simhashkit/bench/rows"
	"simhashkit/bench/terms"
)

// Source is a result file and the name to call it by.
type Source = rows.Source

// The commands that make the rows of a section.
const (
	commandQuality     = "fphash bench"
	commandAvalanche   = "fphash bench --suite quality"
	commandKernels     = "fphash bench --suite kernels"
	commandProjections = "fphash bench --suite projections"
	commandSearch      = "fphash bench --suite search"
	commandUnsure      = "fphash bench --suite unsure"
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
	hashes, searched, unsure, documents := r.aboutHashes(), r.searched(), len(r.unsureKinds) > 0, r.set.Has(terms.Corpus)
	if len(p.Sections) == 0 && !searched && !unsure && !documents {
		hashes = true
	}
	switch {
	case hashes:
	case c.Comparison != nil:
		p.Title = sentence(c.Comparison.Conclusion())
	case c.Trends != nil:
		p.Title = "Benchmarks over time"
	case searched:
		p.Title = "Near-duplicates: measured speed of the search"
	case documents:
		p.Title = "Documents: measured speed of deduplication"
	default:
		p.Title = "Near-duplicates: what unsure bits find"
	}
	if hashes {
		p.Sections = append(p.Sections, r.recommendation(), r.speedAndQuality(), r.kernels(), r.distance(), r.duplicates(), r.avalanche(), r.projections())
	}
	if hashes || searched {
		p.Sections = append(p.Sections, r.search())
	}
	if documents {
		p.Sections = append(p.Sections, r.corpus())
	}
	if hashes || unsure {
		p.Sections = append(p.Sections, r.unsure())
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
	return slices.ContainsFunc([]string{terms.Quality, terms.Hash, terms.Accumulate, terms.Sketch, terms.Distance, terms.NearDuplicates, terms.Avalanche, terms.Projection}, r.set.Has)
}

// maxBits is the width of the widest fingerprint.
const maxBits = 4096

// report is what the sections share.
type report struct {
	set         *rows.Set
	machines    []rows.Machine
	quality     []rows.Cell // at any width
	unsureKinds []*advice.Unsure
	advice      *advice.Recommendation
	conflicts   []rows.Conflict
}

func newReport(sources []Source) *report {
	r := &report{set: rows.New(sources)}
	r.machines = r.set.Machines()
	r.quality = r.exact(terms.Quality)
	r.unsureKinds = advice.Unsures(r.exact(terms.Unsure))
	r.advice = advice.Recommend(r.set, "")
	return r
}

// exact returns the cells of that base and notes where files do not agree.
func (r *report) exact(base string) []rows.Cell {
	cells, conflicts := r.set.Exact(base)
	r.conflicts = append(r.conflicts, conflicts...)
	return cells
}

// commonest returns the value that most cells have; the lesser one of two as common, "" without
// cells.
func commonest(cells []rows.Cell, of func(rows.Cell) string) string {
	count := map[string]int{}
	for _, c := range cells {
		count[of(c)]++
	}
	best := ""
	for v, n := range count {
		if best == "" || n > count[best] || n == count[best] && rows.CompareValues(v, best) < 0 {
			best = v
		}
	}
	return best
}
