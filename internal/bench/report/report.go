// Package report turns result files into one HTML file with pictures for decisions: which hash to
// use, speed against quality, hashed indices against stored hyperplanes, and kernels by vector
// length. The recommendation names the rows that it is based on. A comparison of two files is a
// separate page.
//
// The report states only what the rows show. Package advice decides which hash to use. If rows are
// missing, the report names the command that measures them.
package report

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/report/page"
	"simhashkit/internal/english"
)

const (
	commandQuality = "fphash bench"
	commandKernels = "fphash bench --suite kernels"
	none           = template.HTML("–") // replaces a missing figure
)

// Write writes the report as one HTML file. The same sources give the same bytes.
func Write(w io.Writer, sources []advice.Source) error {
	set := advice.NewSet(sources)
	r := &report{set, advice.Recommend(set)}
	p := page.Page{Title: "Which hash for simhash? Measured quality and speed", Subtitle: r.subtitle()}
	p.Sections = append(p.Sections, r.recommendation())
	if s := r.doubts(); len(s.Blocks) > 0 {
		p.Sections = append(p.Sections, s)
	}
	p.Sections = append(p.Sections, r.speedAndQuality())
	if s := r.methods(); len(s.Blocks) > 0 {
		p.Sections = append(p.Sections, s)
	}
	p.Sections = append(p.Sections, r.kernels(), r.sources())
	if err := page.Write(w, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// report holds the data that the sections share.
type report struct {
	set    *advice.Set
	advice *advice.Recommendation
}

// number formats a number with three significant digits, or with all digits before the point if
// there are more.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'e', 2, 64)
	exponent, err := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	if err != nil || exponent < -6 || exponent > 14 {
		return strings.Replace(strconv.FormatFloat(v, 'g', 3, 64), "-", "−", 1)
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', max(0, 2-exponent), 64), "-", "−", 1)
}

// interval formats an interval: "58.1 to 60.2"; a dash if there is none.
func interval(f *resultfile.Figure) template.HTML {
	if f == nil || !advice.Bounded(*f) {
		return none
	}
	return template.HTML(number(f.Lo) + " to " + number(f.Hi))
}

// breakable allows line breaks after the slashes of a long name.
func breakable(name string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(name), "/", "/<wbr>"))
}

// from returns a line with the names of the rows that a statement is based on, with links to their
// files if there are several.
func (r *report) from(cells ...advice.Cell) template.HTML {
	var list []string
	for _, c := range cells {
		name := page.Words("<code>%s</code>", breakable(c.Row()))
		if len(r.set.Sources) > 1 {
			name += page.Words(` <a href="#file-%d">file %d</a>`, c.Source+1, c.Source+1)
		}
		list = append(list, string(name))
	}
	return template.HTML(`<span class="from">` + strings.Join(list, "<br>") + `</span>`)
}

// missing returns a block for a section without rows, with the command that measures them.
func missing(what, command string) page.Block {
	return page.Block{Missing: page.Words("These files have no results on %s. To measure them: <code>%s</code>.", what, command)}
}

// recommendation returns the section that says which hash to use, and what is wrong with others.
func (r *report) recommendation() page.Section {
	s := page.Section{ID: "recommendation", Short: "Recommendation", Title: "Which hash to use"}
	a := r.advice
	if len(a.Choices) == 0 {
		s.Blocks = append(s.Blocks, missing("the quality of hashes, so none is recommended", commandQuality))
		return s
	}
	s.Blocks = append(s.Blocks, r.answer()...)
	s.Blocks = append(s.Blocks, page.Block{Paragraph: "A hash is good if its verdict is good in all measured cases. A case is a pattern of indices with a kind of weights. All cases count, because you rarely know the pattern of your indices beforehand."})
	if bad := slices.Concat(a.Weak, a.Undecided); len(bad) > 0 {
		var items []template.HTML
		for _, words := range advice.Faults(bad) {
			items = append(items, page.Words("%s", words))
		}
		s.Blocks = append(s.Blocks, page.Block{Heading: "Defects of the hashes that are not good"}, page.Block{List: items})
	}
	return s
}

// answer returns the recommendation, with its reasons and the rows that support it.
func (r *report) answer() []page.Block {
	m := r.advice
	lead := page.Words(`<span class="lead">%s</span>`, m.Lead())
	if m.Best == nil {
		return []page.Block{{Warning: lead}}
	}
	var rows []advice.Cell
	if t, ok := m.Times.Get(m.Best); ok {
		rows = append(rows, t.Row)
	}
	if worst, ok := m.Best.Fewest(); ok {
		rows = append(rows, worst.Row)
	}
	blocks := []page.Block{{Callout: lead + r.from(rows...)}}
	if m.Why == advice.CannotTell {
		blocks = []page.Block{{Warning: lead + r.from(rows...)}}
	}
	for _, words := range m.Details() {
		blocks = append(blocks, page.Block{Paragraph: page.Words("%s", words)})
	}
	return blocks
}

func (r *report) subtitle() template.HTML {
	var dates, machines []string
	for _, s := range r.set.Sources {
		if date, _, _ := strings.Cut(resultfile.ValueOf(s.File.Head, "date"), "T"); date != "" {
			dates = append(dates, date)
		}
		if name := s.Machine(); !slices.Contains(machines, name) {
			machines = append(machines, name)
		}
	}
	slices.Sort(dates)
	words := page.Words("From %s", english.Count(len(r.set.Sources), "result file"))
	switch n := len(dates); {
	case n > 0 && dates[0] == dates[n-1]:
		words += page.Words(" of %s", dates[0])
	case n > 0:
		words += page.Words(" of %s to %s", dates[0], dates[n-1])
	}
	if len(machines) > 0 {
		words += page.Words(", measured on %s", strings.Join(machines, "; "))
	}
	return words + ". " + `<a href="#sources">The commands that made them</a> are at the end.`
}

// doubts lists the problems of the files, so that readers know why something is missing.
func (r *report) doubts() page.Section {
	s := page.Section{ID: "doubts", Short: "Doubts", Title: "What is wrong with the files"}
	for i, source := range r.set.Sources {
		if noise := advice.Noise(resultfile.Summarize(source.File.Rows)); noise != "" {
			s.Blocks = append(s.Blocks, page.Block{Warning: page.Words(`<a href="#file-%d">File %d</a>. %s`, i+1, i+1, noise)})
		}
	}
	var items []template.HTML
	for _, b := range r.set.Broken {
		items = append(items, page.Words(`<code>%s</code> in <a href="#file-%d">file %d</a>: %s`, breakable(b.Row()), b.Source+1, b.Source+1, b.Reason))
	}
	if len(items) > 0 {
		s.Blocks = append(s.Blocks, page.Block{Paragraph: "These cases gave a wrong answer or could not run, so they have no results:"}, page.Block{List: items})
	}
	if n := r.set.Dropped; n > 0 {
		s.Blocks = append(s.Blocks, page.Block{Paragraph: page.Words("%d %s left out: not a number, infinite or too large.", n, english.Plural(n, "value is", "values are"))})
	}
	return s
}

func (r *report) sources() page.Section {
	s := page.Section{ID: "sources", Short: "Sources", Title: "Sources of the figures"}
	if len(r.set.Sources) == 0 {
		s.Blocks = append(s.Blocks, page.Block{Missing: "No result files were named."})
	}
	for i, source := range r.set.Sources {
		var items []template.HTML
		add := func(name, value string) {
			if value != "" {
				items = append(items, page.Words("%s: <code>%s</code>", name, value))
			}
		}
		add("machine", source.Machine())
		for _, field := range source.File.Head {
			add(field.Name, field.Value)
		}
		items = append(items, page.Words("%s", english.Count(len(source.File.Rows), "row")))
		s.Blocks = append(s.Blocks, page.Block{Anchor: "file-" + strconv.Itoa(i+1), Heading: "File " + strconv.Itoa(i+1) + ": " + source.Name}, page.Block{List: items})
	}
	return s
}
