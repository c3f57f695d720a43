package report

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"simhashkit/bench/report/page"
	"simhashkit/bench/report/rows"
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

// cellNumber writes the figure of a unit, a dash where there is none.
func cellNumber(c rows.Cell, unit string) template.HTML {
	v, ok := c.Value(unit)
	if !ok {
		return none
	}
	return template.HTML(number(v))
}

// pValue writes the p-value of a unit; of a very small one only that it is.
func pValue(c rows.Cell, unit string) template.HTML {
	if v, ok := c.Value(unit); ok && v < 1e-12 {
		return "&lt;1e−12"
	}
	return cellNumber(c, unit)
}

// count writes a figure that counts something.
func count(c rows.Cell, unit string) template.HTML {
	v, ok := c.Value(unit)
	if !ok {
		return none
	}
	return template.HTML(strconv.FormatFloat(v, 'f', -1, 64))
}

// interval writes "58.1 to 60.2"; a dash where the row has none.
func interval(c rows.Cell, unit string) template.HTML {
	low, ok := c.Value(unit + "-low")
	high, also := c.Value(unit + "-high")
	if !ok || !also {
		return none
	}
	return template.HTML(number(low) + " to " + number(high))
}

// effective says how many bits a case is worth: "9.1 of 64 effective bits (95% interval 8.5 to
// 9.7), 12.0 at cosine ≥ 0.9 (10.5 to 13.4)".
func effective(c rows.Cell) template.HTML {
	words := template.HTML("an unknown number of effective bits")
	if v, ok := c.Value("effective-bits"); ok {
		words = page.Words("%s of %s effective bits", number(v), c.Name.Get("f"))
		if i := interval(c, "effective-bits"); i != none {
			words += page.Words(" (95%% interval %s)", i)
		}
	}
	if v, ok := c.Value("effective-bits-cos90"); ok {
		words += page.Words(", %s at cosine ≥ 0.9", number(v))
		if i := interval(c, "effective-bits-cos90"); i != none {
			words += page.Words(" (%s)", i)
		}
	}
	return words
}

// plusMinus writes half of what the interval of a time spans, in percent of it.
func plusMinus(f rows.Figure) template.HTML {
	if !f.Sampled || f.Value == 0 {
		return none
	}
	percent := 100 * max(f.High-f.Value, f.Value-f.Low) / math.Abs(f.Value)
	if percent > 999 { // of next to nothing
		return "&gt;999%"
	}
	return template.HTML(fmt.Sprintf("%.0f%%", percent))
}

// row names the row that a figure is from, and its file where there are several.
func (r *report) row(c rows.Cell) template.HTML {
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
func (r *report) from(cells ...rows.Cell) template.HTML {
	var list []string
	for _, c := range cells {
		list = append(list, string(r.row(c)))
	}
	return template.HTML(`<span class="from">` + strings.Join(list, "<br>") + `</span>`)
}

// badge shows a verdict.
func badge(verdict float64) template.HTML {
	return page.Words(`<span class="%s">%s</span>`, verdictWord(verdict), verdictWord(verdict))
}

// plural writes a number of things.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// missing is the block of a section that has no rows.
func missing(what, command string) page.Block {
	return page.Block{Missing: page.Words("The files have no rows of %s. <code>%s</code> measures it.", what, command)}
}
