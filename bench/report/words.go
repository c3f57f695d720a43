package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/report/page"
)

// number writes three significant digits, and all those before the point.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'e', 2, 64)
	exponent, err := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	if err != nil || exponent < -6 || exponent > 14 {
		return strings.Replace(strconv.FormatFloat(v, 'g', 3, 64), "-", "−", 1)
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', max(0, 2-exponent), 64), "-", "−", 1)
}

// none stands where there is no figure.
const none = template.HTML("–")

// cellNumber writes the figure of a unit, or a dash if the cell has none.
func cellNumber(c advice.Cell, unit string) template.HTML {
	v, ok := c.Value(unit)
	if !ok {
		return none
	}
	return template.HTML(number(v))
}

// interval writes "58.1 to 60.2"; a dash where there is none.
func interval(f *resultfile.Figure) template.HTML {
	if f == nil || !advice.Bounded(*f) {
		return none
	}
	return template.HTML(number(f.Lo) + " to " + number(f.Hi))
}

// plusMinus writes half of what the interval of a time spans, in percent of it.
func plusMinus(f resultfile.Figure) template.HTML {
	if !advice.Bounded(f) || f.Median == 0 {
		return none
	}
	percent := 100 * max(f.Hi-f.Median, f.Median-f.Lo) / math.Abs(f.Median)
	if percent > 999 { // of next to nothing
		return "&gt;999%"
	}
	return template.HTML(fmt.Sprintf("%.0f%%", percent))
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

// plural writes a number of things.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// joined joins the parts that are not empty.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// missing is the block of a section that has no rows, and says what measures them.
func missing(what, command string) page.Block {
	return page.Block{Missing: page.Words("These files have no figures on %s. To get them: <code>%s</code>.", what, command)}
}

// openList is a list of which so many items stand open, and the others in details.
func openList(items []template.HTML, open int, kind string, short bool) []page.Block {
	open = min(open, len(items))
	blocks := []page.Block{{List: items[:open]}}
	if more := items[open:]; len(more) > 0 {
		blocks = append(blocks, page.Block{Details: &page.Details{Summary: page.Words("%d more%s", len(more), kind), Short: short, Blocks: []page.Block{{List: more}}}})
	}
	return blocks
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

// numbers has the table that goes with pictures.
func numbers(t *page.Table) page.Block {
	return page.Block{Details: &page.Details{Summary: "The numbers", Blocks: []page.Block{{Table: t}}}}
}
