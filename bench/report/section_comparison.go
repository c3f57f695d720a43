package report

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/report/page"
)

// WriteComparison writes what a comparison has found as one HTML file of its own, with the section
// that a report on the same comparison has.
func WriteComparison(w io.Writer, c *compare.Report) error {
	p := page.Page{Title: sentence(c.Conclusion()), Subtitle: sides(c), Sections: []page.Section{comparison(c)}}
	if err := page.Write(w, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// sentence begins words with a capital letter.
func sentence(words string) string { return strings.ToUpper(words[:1]) + words[1:] }

// compared is a row with its table.
type compared struct {
	compare.Table
	compare.Row
}

// mostRows is how many rows a picture or an open table has; the others are in details.
const mostRows = 40

// comparison shows what has changed between two columns of results, the worst first.
func comparison(c *compare.Report) page.Section {
	s := page.Section{ID: "comparison", Short: "Comparison", Title: "Old against new: what has changed"}
	list := comparedRows(c)
	s.Blocks = append(s.Blocks, verdictBlock(c, list))
	drawn := slices.DeleteFunc(slices.Clone(list), func(r compared) bool { return !r.Verdict.Compared() })
	if len(drawn) > 0 {
		s.Blocks = append(s.Blocks, changesPicture(c, drawn))
	}
	changed := slices.DeleteFunc(slices.Clone(drawn), func(r compared) bool {
		return !slices.Contains([]compare.Verdict{compare.Regression, compare.Improvement, compare.Changed}, r.Verdict)
	})
	if len(changed) > 0 && len(changed) < len(list) {
		s.Blocks = append(s.Blocks, page.Block{Heading: "What has changed"}, changedTable(c, changed))
	}
	s.Blocks = append(s.Blocks, gapBlocks(c)...)
	if len(c.Notes) > 0 {
		var items []template.HTML
		for _, n := range c.Notes {
			items = append(items, page.Words("%s", n))
		}
		s.Blocks = append(s.Blocks, page.Block{Heading: "What to know of these results"}, page.Block{List: items})
	}
	if len(list) > 0 {
		all := page.Details{Summary: page.Words("All %s", plural(len(list), "row", "rows"))}
		for _, t := range c.Tables {
			all.Blocks = append(all.Blocks, tableOf(t))
		}
		s.Blocks = append(s.Blocks, page.Block{Details: &all})
	}
	return s
}

// comparedRows returns all rows, those first that matter most, and of those the ones that have
// changed most.
func comparedRows(c *compare.Report) []compared {
	var list []compared
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			list = append(list, compared{t, r})
		}
	}
	order := compare.Verdicts()
	slices.SortStableFunc(list, func(a, b compared) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict)), cmp.Compare(math.Abs(b.Effect.Change), math.Abs(a.Effect.Change)))
	})
	return list
}

// sides says what is compared with what.
func sides(c *compare.Report) template.HTML {
	var news []string
	for _, t := range c.Tables {
		if !slices.Contains(news, t.New) {
			news = append(news, t.New)
		}
	}
	if len(news) == 0 {
		return "There are no two columns to compare."
	}
	return page.Words("Old: %s. New: %s.", c.Tables[0].Old, strings.Join(news, "; "))
}

// verdictBlock says what has been found. Where something could not be compared, that is no good
// news.
func verdictBlock(c *compare.Report, list []compared) page.Block {
	count := c.Count()
	words := page.Words(`<span class="lead">%s.</span>%s`, sentence(c.Conclusion()), sides(c))
	if len(list) > 0 && list[0].Verdict == compare.Regression {
		words += page.Words(" Worst: <strong>%s</strong>, %s.", labels(c)(list[0]), changeWords(list[0]))
	}
	var parts []string
	for _, v := range compare.Verdicts() {
		if n := count[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if len(parts) > 0 {
		words += page.Words(" Rows: %s.", strings.Join(parts, ", "))
	}
	if slices.ContainsFunc(list, func(r compared) bool { return r.Effect.Noise }) {
		words += page.Words(" A change with noise counts if it is significant, such that all comparisons together raise a false alarm with a probability of %s at most, and larger than the threshold.", share(c.Alpha))
	}
	if count[compare.Unclear] > 0 {
		words += " Unclear is not the same as no change: it is too noisy to tell a change of the threshold from none."
	}
	if count[compare.Regression] > 0 || c.OpenGaps() > 0 {
		return page.Block{Warning: words}
	}
	return page.Block{Callout: words}
}

// changeWords says by how much a row has changed: "+6.12% (95% interval +5.01% to +7.20%)".
func changeWords(r compared) string {
	words := signed(r.Effect.Change)
	if r.Effect.Noise {
		words += fmt.Sprintf(" (95%% interval %s)", changeInterval(r.Effect))
	}
	return words
}

func changeInterval(e compare.Effect) string { return signed(e.Lo) + " to " + signed(e.Hi) }

// labels returns how rows are called where all of them stand together: by name and, as far as they
// differ in that, by unit, column and configuration.
func labels(c *compare.Report) func(compared) string {
	varying := func(of func(compare.Table) string) bool {
		return slices.ContainsFunc(c.Tables, func(t compare.Table) bool { return of(t) != of(c.Tables[0]) })
	}
	units := varying(func(t compare.Table) string { return t.Unit })
	columns := varying(func(t compare.Table) string { return t.New })
	var fields []string
	for _, t := range c.Tables {
		for _, f := range t.Config {
			if !slices.Contains(fields, f.Name) && varying(func(t compare.Table) string { return configured(t, f.Name) }) {
				fields = append(fields, f.Name)
			}
		}
	}
	return func(r compared) string {
		parts := []string{r.Name}
		if units {
			parts[0] += " " + r.Unit
		}
		if columns {
			parts = append(parts, r.Table.New)
		}
		for _, f := range fields {
			parts = append(parts, configured(r.Table, f))
		}
		return joined(parts...)
	}
}

// configured returns the value of a field of the table's configuration, "" where it has none.
func configured(t compare.Table, name string) string {
	for _, f := range t.Config {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}
