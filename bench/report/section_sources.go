package report

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/report/page"
	"simhashkit/internal/english"
)

// subtitle names the data of the report.
func (r *report) subtitle() template.HTML {
	var dates, machines []string
	for _, s := range r.set.Sources {
		if date, _, _ := strings.Cut(s.Head("date"), "T"); date != "" {
			dates = append(dates, date)
		}
	}
	for _, m := range r.machines {
		machines = append(machines, m.Name)
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
	var items []template.HTML
	for _, b := range r.set.Broken {
		items = append(items, page.Words(`<code>%s</code> in <a href="#file-%d">file %d</a>: %s`, breakable(b.Row()), b.Source+1, b.Source+1, b.Reason))
	}
	if len(items) > 0 {
		s.Blocks = append(s.Blocks, page.Block{Paragraph: "These cases gave a wrong answer or could not run, and have no figures:"}, page.Block{List: items})
	}
	if n := r.set.Dropped; n > 0 {
		s.Blocks = append(s.Blocks, page.Block{Paragraph: page.Words("%d %s no number, infinite or beyond all measure, and left out.", n, english.Plural(n, "figure is", "figures are"))})
	}
	return s
}

// sources says where the figures are from.
func (r *report) sources() page.Section {
	s := page.Section{ID: "sources", Short: "Sources", Title: "Where the figures are from"}
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
