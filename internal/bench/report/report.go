// Package report turns result files into one HTML file that says which hash to use, and shows speed
// against quality. The recommendation names the rows that it is based on. A comparison of two files
// is a separate page.
//
// The report states only what the rows show. Package advice decides which hash to use. If rows are
// missing, the report names the command that measures them.
package report

import (
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/english"
)

const (
	command = "fphash bench"     // measures what the report shows
	none    = template.HTML("–") // replaces a missing figure
)

// Write writes the report as one HTML file. The same sources give the same bytes.
func Write(w io.Writer, sources []advice.Source) error {
	set := advice.NewSet(sources)
	r := &report{set, advice.Recommend(set)}
	p := page{Title: "Which hash for simhash? Measured quality and speed", Subtitle: r.subtitle()}
	p.Sections = append(p.Sections, r.recommendation())
	if s := r.doubts(); len(s.Blocks) > 0 {
		p.Sections = append(p.Sections, s)
	}
	p.Sections = append(p.Sections, r.speedAndQuality())
	if list := advice.Methods(set); len(list) > 0 {
		p.Sections = append(p.Sections, methods(list))
	}
	p.Sections = append(p.Sections, r.sources())
	return p.write(w)
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

// bounds formats an interval: "58.1 to 60.2"; a dash if there is none.
func bounds(f *resultfile.Figure) template.HTML {
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
		name := markup("<code>%s</code>", breakable(c.Row()))
		if len(r.set.Sources) > 1 {
			name += markup(` <a href="#file-%d">file %d</a>`, c.Source+1, c.Source+1)
		}
		list = append(list, string(name))
	}
	return template.HTML(`<span class="from">` + strings.Join(list, "<br>") + `</span>`)
}

// missing returns a block for a section without rows, with the command that measures them.
func missing(what string) block {
	return block{Missing: markup("These files have no results on %s. To measure them: <code>%s</code>.", what, command)}
}

// recommendation returns the section that says which hash to use, and what is wrong with others.
func (r *report) recommendation() section {
	s := section{ID: "recommendation", Short: "Recommendation", Title: "Which hash to use"}
	a := r.advice
	if len(a.Choices) == 0 {
		s.Blocks = append(s.Blocks, missing("the quality of hashes, so none is recommended"))
		return s
	}
	s.Blocks = append(s.Blocks, r.answer()...)
	s.Blocks = append(s.Blocks, block{Paragraph: "A hash is good if its verdict is good in all measured cases. A case is a pattern of indices with a kind of weights. All cases count, because you rarely know the pattern of your indices beforehand."})
	if bad := slices.Concat(a.Weak, a.Undecided); len(bad) > 0 {
		var items []template.HTML
		for _, words := range advice.Faults(bad) {
			items = append(items, markup("%s", words))
		}
		s.Blocks = append(s.Blocks, block{Heading: "Defects of the hashes that are not good"}, block{List: items})
	}
	return s
}

// answer returns the recommendation, with its reasons and the rows that support it.
func (r *report) answer() []block {
	m := r.advice
	lead := markup(`<span class="lead">%s</span>`, m.Lead())
	if m.Best == nil {
		return []block{{Warning: lead}}
	}
	var rows []advice.Cell
	if t, ok := m.Times.Get(m.Best); ok {
		rows = append(rows, t.Row)
	}
	if worst, ok := m.Best.Fewest(); ok {
		rows = append(rows, worst.Row)
	}
	blocks := []block{{Callout: lead + r.from(rows...)}}
	if m.Why == advice.CannotTell {
		blocks = []block{{Warning: lead + r.from(rows...)}}
	}
	for _, words := range m.Details() {
		blocks = append(blocks, block{Paragraph: markup("%s", words)})
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
	words := markup("From %s", english.Count(len(r.set.Sources), "result file"))
	switch n := len(dates); {
	case n > 0 && dates[0] == dates[n-1]:
		words += markup(" of %s", dates[0])
	case n > 0:
		words += markup(" of %s to %s", dates[0], dates[n-1])
	}
	if len(machines) > 0 {
		words += markup(", measured on %s", strings.Join(machines, "; "))
	}
	return words + ". " + `<a href="#sources">The commands that made them</a> are at the end.`
}

// doubts lists the problems of the files, so that readers know why something is missing.
func (r *report) doubts() section {
	s := section{ID: "doubts", Short: "Doubts", Title: "What is wrong with the files"}
	for i, source := range r.set.Sources {
		if noise := advice.Noise(resultfile.Summarize(source.File.Rows)); noise != "" {
			s.Blocks = append(s.Blocks, block{Warning: markup(`<a href="#file-%d">File %d</a>. %s`, i+1, i+1, noise)})
		}
	}
	var items []template.HTML
	for _, b := range r.set.Broken {
		items = append(items, markup(`<code>%s</code> in <a href="#file-%d">file %d</a>: %s`, breakable(b.Row()), b.Source+1, b.Source+1, b.Reason))
	}
	if len(items) > 0 {
		s.Blocks = append(s.Blocks, block{Paragraph: "These cases gave a wrong answer or could not run, so they have no results:"}, block{List: items})
	}
	if n := r.set.Dropped; n > 0 {
		s.Blocks = append(s.Blocks, block{Paragraph: markup("%d %s left out: not a number, infinite or too large.", n, english.Plural(n, "value is", "values are"))})
	}
	return s
}

func (r *report) sources() section {
	s := section{ID: "sources", Short: "Sources", Title: "Sources of the figures"}
	if len(r.set.Sources) == 0 {
		s.Blocks = append(s.Blocks, block{Missing: "No result files were named."})
	}
	for i, source := range r.set.Sources {
		var items []template.HTML
		add := func(name, value string) {
			if value != "" {
				items = append(items, markup("%s: <code>%s</code>", name, value))
			}
		}
		add("machine", source.Machine())
		for _, field := range source.File.Head {
			add(field.Name, field.Value)
		}
		items = append(items, markup("%s", english.Count(len(source.File.Rows), "row")))
		s.Blocks = append(s.Blocks, block{Anchor: "file-" + strconv.Itoa(i+1), Heading: "File " + strconv.Itoa(i+1) + ": " + source.Name}, block{List: items})
	}
	return s
}

func (r *report) speedAndQuality() section {
	s := section{ID: "speed", Short: "Speed and quality", Title: "Speed against effective bits"}
	if len(r.advice.Choices) == 0 {
		s.Blocks = append(s.Blocks, missing("the quality of hashes"))
		return s
	}
	s.Blocks = append(s.Blocks, block{Paragraph: "Effective bits are the number of bits of an ideal hash that would estimate angles with the same mean squared error. " +
		"Each line is a hash in its worst case, which is a pattern of indices with a kind of weights. It shows the smaller of two figures: over all angles, and at cosine 0.9 and above, where near-duplicates are."})
	if !r.advice.Times.Any() {
		s.Blocks = append(s.Blocks, missing("the time of hashes"))
	}
	s.Blocks = append(s.Blocks, r.choices())
	return s
}

// drawnTime draws a time with its interval.
func drawnTime(times axis, median, low, high float64, ink ink) template.HTML {
	if !onLog(median) {
		return none
	}
	return interval{value: median, low: low, high: high, ink: ink}.svg(times, times.min)
}

// drawnBits draws effective bits with their interval, on an axis with a line at an ideal hash.
func drawnBits(f *resultfile.Figure, ideal float64, ink ink) template.HTML {
	if f == nil {
		return none
	}
	i := interval{value: f.Median, low: f.Median, high: f.Median, ink: ink}
	if advice.Bounded(*f) {
		i.low, i.high = f.Lo, f.Hi
	}
	return i.svg(axis{max: 1.3 * ideal}, ideal)
}

// choices returns the table of the hashes, the best ones first.
func (r *report) choices() block {
	m := r.advice
	what := "no times"
	if m.Times.Any() {
		what = "time of the fastest kernel: " + m.Times.Of
	}
	t := &table{
		Caption: markup("%d bits, %s; %s. The pictures show 95%% intervals: times on a logarithmic axis, and effective bits with a line at an ideal hash.", r.advice.Bits, english.Count(r.advice.Cases, "case"), what),
		Columns: []column{{Title: "hash"}, {Title: "encoding"}, {Title: "ns per feature", Class: "number"}, {Title: "time", Class: "drawn"},
			{Title: "effective bits", Class: "number"}, {Title: "95% interval", Class: "number"}, {Title: "bits", Class: "drawn"}, {Title: "worst case"}, {Title: "verdict"}},
	}
	list := m.Times.Sorted(m.Choices)
	var times []float64
	for _, c := range list {
		if time, ok := m.Times.Get(c); ok {
			times = append(times, time.Median)
		}
	}
	scale := logAxis(times...)
	for _, c := range list {
		verdict := c.Verdict().String()
		ink := ink(verdict)
		cost, costDrawn := none, none
		if time, ok := m.Times.Get(c); ok {
			cost = markup("%s ± %s", number(time.Median), time.PlusMinus())
			low, high := time.Median, time.Median
			if advice.Bounded(time.Figure) {
				low, high = time.Lo, time.Hi
			}
			costDrawn = drawnTime(scale, time.Median, low, high, ink)
		}
		worst, bits, within95, bitsDrawn := "–", none, none, none
		if k, ok := c.Fewest(); ok {
			f, near := k.Worse()
			worst, bits, within95, bitsDrawn = k.Row.Name.Get("pattern")+", "+k.Row.Name.Get("weights"), template.HTML(number(f.Median)), bounds(f), drawnBits(f, float64(r.advice.Bits), ink)
			if data := k.Row.Name.Get("data"); data != "" {
				worst += ", " + data
			}
			if near {
				worst += " at cosine ≥ 0.9"
			}
		}
		words := markup(`<span class="%s">%s</span>`, verdict, verdict)
		if c == m.Best {
			words += ", recommended"
		}
		t.add(markup("<strong>%s</strong>", c.Hash), markup("%s", c.Encoding), cost, costDrawn, bits, within95, bitsDrawn, markup("%s", worst), words)
	}
	return block{Table: t}
}

// methods returns the section that compares hashed indices with stored hyperplanes.
func methods(list []advice.Method) section {
	t := &table{
		Caption: "Time on a logarithmic axis; effective bits with their 95% interval, and a line at an ideal hash",
		Columns: []column{{Title: "way to sketch", Class: "name"}, {Title: "ns per vector of 100 features", Class: "number"}, {Title: "time", Class: "drawn"},
			{Title: "stored for 10^6 dimensions", Class: "number"}, {Title: "effective bits of 64", Class: "number"}, {Title: "95%", Class: "number"}, {Title: "bits", Class: "drawn"}},
	}
	var times []float64
	for _, m := range list {
		times = append(times, m.Time)
	}
	scale := logAxis(times...)
	for _, m := range list {
		bits := none
		if m.Bits != nil {
			bits = template.HTML(number(m.Bits.Median))
		}
		t.add(markup("%s", m.Name), template.HTML(number(m.Time)), drawnTime(scale, m.Time, m.Time, m.Time, inkMuted), template.HTML(m.Stored), bits, bounds(m.Bits), drawnBits(m.Bits, 64, inkMuted))
	}
	return section{ID: "methods", Short: "Methods", Title: "Hashed indices against stored hyperplanes", Blocks: []block{
		{Paragraph: "A sketch is the signs of 64 sums. The signs of a feature are a stored row of 64 hyperplanes, or the bits of a hash of its index, which needs no memory. Effective bits are over all angles, on runs of consecutive indices."},
		{Table: t},
	}}
}
