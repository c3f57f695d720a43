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
	"simhashkit/internal/english"
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
	if changed := tables(c, func(r compare.Row) bool { return beyond(r.Verdict) }); len(changed) > 0 {
		s.Blocks = append(append(s.Blocks, page.Block{Heading: "What has changed"}), changed...)
	}
	for _, remarks := range []struct {
		heading string
		lines   []string
	}{{"What could not be compared", c.GapLines()}, {"What to know of these results", append(c.Legend(), c.Notes...)}} {
		var items []template.HTML
		for _, line := range remarks.lines {
			items = append(items, page.Words("%s", line))
		}
		if len(items) > 0 {
			s.Blocks = append(s.Blocks, page.Block{Heading: remarks.heading}, page.Block{List: items})
		}
	}
	if len(list) > 0 {
		s.Blocks = append(s.Blocks, page.Block{Details: &page.Details{Summary: page.Words("All %s", english.Count(len(list), "row")),
			Blocks: tables(c, func(compare.Row) bool { return true })}})
	}
	return s
}

// beyond reports whether a row with that verdict has changed by more than noise and its threshold.
func beyond(v compare.Verdict) bool {
	return v == compare.Regression || v == compare.Improvement || v == compare.Changed
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
	words := page.Words(`<span class="lead">%s.</span>%s %s.`, sentence(c.Verdict()), sides(c), sentence(c.Summary()))
	if slices.ContainsFunc(list, func(r compared) bool { return r.Effect.Noise }) {
		words += page.Words(" A change with noise counts if it is significant, such that all comparisons together raise a false alarm with a probability of %.4g%% at most, and larger than the threshold.", 100*c.Alpha)
	}
	count := c.Count()
	if count[compare.Unclear] > 0 {
		words += " Unclear is not the same as no change: it is too noisy to tell a change of the threshold from none."
	}
	if count[compare.Regression] > 0 || c.OpenGaps() > 0 {
		return page.Block{Warning: words}
	}
	return page.Block{Callout: words}
}

// label is how a row is called where all of them stand together.
func label(c *compare.Report, r compared) string {
	name := r.Name
	if slices.ContainsFunc(c.Tables, func(t compare.Table) bool { return t.Unit != r.Unit }) {
		name += " " + r.Unit
	}
	return strings.Join(append([]string{name}, c.WhichTable(r.Table)...), " ")
}
