package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/report/page"
	"simhashkit/bench/rows"
	"simhashkit/bench/terms"
)

// total is the stage that is all of a run.
const total = "total"

// corpus shows what it takes to deduplicate documents, stage by stage, and what is found of the
// near-duplicates that were planted among them.
func (r *report) corpus() page.Section {
	s := r.byMachine(page.Section{ID: "corpus", Short: "Documents", Title: "Documents: from files to what is kept, stage by stage"},
		"Made-up documents, a tenth of them copies of others with an edit, so that the truth is known. Each stage has its time and the most memory that was in use. "+
			"Memory of other programs is what belongs to all of their processes, without files that are mapped; ours counts those.", r.corpusOn)
	if list := r.brokenOf(terms.Corpus); len(list) > 0 {
		s.Blocks = append(s.Blocks, page.Block{Paragraph: "These were ended, or failed:"}, page.Block{List: list})
	}
	return s
}

// toolOf says what deduplicates, and how.
func toolOf(c rows.Cell) string {
	name := c.Name.Get("tool")
	if features := c.Name.Get("features"); features != "" {
		name += " " + features
	}
	if k := c.Name.Get("k"); k != "" {
		name += ", k = " + k
	}
	return name
}

// coresOf is the number of cores of a row: one, where it does not say.
func coresOf(c rows.Cell) string { return cmp.Or(c.Name.Get("cpus"), "1") }

func (r *report) corpusOn(m rows.Machine, _ int) (blocks []page.Block) {
	all := func(rows.Cell) bool { return true }
	size := func(c rows.Cell) int {
		n, _ := c.Number("n")
		return int(n)
	}
	found := m.Run(terms.CorpusFound, all)
	sizes := rows.GroupBy(m.Run(terms.Corpus, all), size)
	slices.SortStableFunc(sizes, func(a, b []rows.Cell) int { return cmp.Compare(size(b[0]), size(a[0])) })
	for _, cells := range sizes {
		n := size(cells[0])
		blocks = append(blocks, page.Block{Heading: advice.Amount(n) + " documents"})
		if said := r.corpusTotals(cells); len(said) > 0 {
			blocks = append(blocks, page.Block{List: said})
		}
		blocks = append(blocks, page.Block{Table: r.corpusStages(cells, n)})
		same := slices.DeleteFunc(slices.Clone(found), func(c rows.Cell) bool { return size(c) != n })
		if len(same) > 0 {
			blocks = append(blocks, page.Block{Table: r.corpusFound(same)})
		}
	}
	return blocks
}

// corpusTotals says how long all of it takes each tool, on the most cores.
func (r *report) corpusTotals(cells []rows.Cell) (said []template.HTML) {
	for _, same := range rows.GroupBy(cells, toolOf) {
		var most rows.Cell
		for _, c := range same {
			if c.Name.Get("stage") == total && (most.Name.Base == "" || rows.CompareValues(coresOf(c), coresOf(most)) > 0) {
				most = c
			}
		}
		if ns, ok := most.Value(terms.NanosecondsPerOperation); ok {
			words := page.Words("<strong>%s</strong>: %s on %s", toolOf(most), advice.Duration(ns), cores(coresOf(most)))
			if bytes, ok := most.Value(terms.PeakBytes); ok {
				words += page.Words(", %s", megabytes(bytes))
			}
			said = append(said, words+r.from(most))
		}
	}
	return said
}

func cores(n string) string {
	if n == "1" {
		return "one core"
	}
	return n + " cores"
}

func megabytes(bytes float64) string { return number(bytes/1e6) + " MB" }

func (r *report) corpusStages(cells []rows.Cell, n int) *page.Table {
	t := &page.Table{
		Caption: "Time and memory of each stage",
		Columns: []page.Column{{Title: "by"}, {Title: "cores", Class: "number"}, {Title: "stage"}, {Title: "time", Class: "number"},
			{Title: "documents a second", Class: "number"}, {Title: "memory", Class: "number"}, {Title: "row", Class: "row"}},
	}
	for _, c := range cells {
		ns, ok := c.Value(terms.NanosecondsPerOperation)
		if !ok {
			continue
		}
		stage := page.Words("%s", c.Name.Get("stage"))
		if c.Name.Get("stage") == total {
			stage = page.Words("<strong>%s</strong>", total)
		}
		rate, memory := none, none
		if ns > 0 {
			rate = template.HTML(number(float64(n) / ns * 1e9))
		}
		if bytes, ok := c.Value(terms.PeakBytes); ok {
			memory = template.HTML(megabytes(bytes))
		}
		t.Add(page.Words("<strong>%s</strong>", toolOf(c)), page.Words("%s", coresOf(c)), stage, page.Words("%s", advice.Duration(ns)), rate, memory, r.row(c))
	}
	return t
}

// corpusFound has a line for each tool and a column for each edit.
func (r *report) corpusFound(cells []rows.Cell) *page.Table {
	t := &page.Table{Caption: "Part of the planted copies that is in the group of its original, by what was changed in it; and of the documents that would be dropped, the part that are copies"}
	t.Columns = []page.Column{{Title: "by"}, {Title: "all copies", Class: "number"}}
	var edits []string
	for _, c := range cells {
		if edit := c.Name.Get("edit"); edit != "" && !slices.Contains(edits, edit) {
			edits = append(edits, edit)
			t.Columns = append(t.Columns, page.Column{Title: strings.ReplaceAll(edit, "-", " "), Class: "number"})
		}
	}
	t.Columns = append(t.Columns, page.Column{Title: "dropped", Class: "number"}, page.Column{Title: "rightly", Class: "number"}, page.Column{Title: "row", Class: "row"})
	for _, same := range rows.GroupBy(cells, toolOf) {
		of := func(edit string) rows.Cell {
			if i := slices.IndexFunc(same, func(c rows.Cell) bool { return c.Name.Get("edit") == edit }); i >= 0 {
				return same[i]
			}
			return rows.Cell{}
		}
		all := of("")
		line := []template.HTML{page.Words("<strong>%s</strong>", toolOf(same[0])), part(all, terms.Recall)}
		for _, edit := range edits {
			line = append(line, part(of(edit), terms.Recall))
		}
		t.Add(append(line, count(all, terms.Dropped), part(all, terms.Precision), r.row(same[0]))...)
	}
	return t
}

// part writes a part of 1 in percent.
func part(c rows.Cell, unit string) template.HTML {
	v, ok := c.Value(unit)
	if !ok {
		return none
	}
	return template.HTML(fmt.Sprintf("%s %%", strconv.FormatFloat(100*v, 'f', 1, 64)))
}
