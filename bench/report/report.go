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
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
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

// report is the data that the sections share.
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

// number writes three significant digits, and all those before the point.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'e', 2, 64)
	exponent, err := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	if err != nil || exponent < -6 || exponent > 14 {
		return strings.Replace(strconv.FormatFloat(v, 'g', 3, 64), "-", "−", 1)
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', max(0, 2-exponent), 64), "-", "−", 1)
}

// none is shown in place of a missing figure.
const none = template.HTML("–")

// interval formats an interval: "58.1 to 60.2"; a dash if there is none.
func interval(f *resultfile.Figure) template.HTML {
	if f == nil || !advice.Bounded(*f) {
		return none
	}
	return template.HTML(number(f.Lo) + " to " + number(f.Hi))
}

// row names the row that a figure is from, and its file where there are several.
func (r *report) row(c advice.Cell) template.HTML {
	if len(r.set.Sources) == 1 {
		return page.Words("<code>%s</code>", breakable(c.Row()))
	}
	return page.Words(`<code>%s</code> <a href="#file-%d">file %d</a>`, breakable(c.Row()), c.Source+1, c.Source+1)
}

// breakable lets a long name break after its slashes.
func breakable(name string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(name), "/", "/<wbr>"))
}

// from is the line below a statement that names the rows it comes from.
func (r *report) from(cells ...advice.Cell) template.HTML {
	var list []string
	for _, c := range cells {
		list = append(list, string(r.row(c)))
	}
	return template.HTML(`<span class="from">` + strings.Join(list, "<br>") + `</span>`)
}

// badge shows a verdict.
func badge(word string) template.HTML { return page.Words(`<span class="%s">%s</span>`, word, word) }

// joined joins the parts that are not empty.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// missing is the block of a section without rows. It says which command measures them.
func missing(what, command string) page.Block {
	return page.Block{Missing: page.Words("These files have no figures on %s. To get them: <code>%s</code>.", what, command)}
}

// byMachine fills a section with the blocks of each machine, behind a lead. It stays empty if no
// machine has any.
func (r *report) byMachine(s page.Section, lead template.HTML, on func(m advice.Machine, number int) []page.Block) page.Section {
	for i, m := range r.machines {
		blocks := on(m, i+1)
		if len(blocks) > 0 && len(s.Blocks) == 0 {
			s.Blocks = append(s.Blocks, page.Block{Paragraph: lead})
		}
		if len(blocks) > 0 && len(r.machines) > 1 {
			s.Blocks = append(s.Blocks, page.Block{Heading: m.Name})
		}
		s.Blocks = append(s.Blocks, blocks...)
	}
	return s
}
