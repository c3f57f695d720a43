package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"
)

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "markdown", "csv", "jsonl"} }

// CheckFormat returns an error for a name that is no format.
func CheckFormat(format string) error {
	if !slices.Contains(Formats(), format) {
		return fmt.Errorf("compare: unknown format %q; expected %s", format, strings.Join(Formats(), ", "))
	}
	return nil
}

// Write writes the report: as text with tables for a terminal, as Markdown for a pull-request
// comment, as comma-separated values with one line for each row of every table (and nothing else,
// so gaps and notes are not in it), or as JSON lines, of which the last one is the summary.
func Write(w io.Writer, r *Report, format string) error {
	var text string
	var err error
	switch format {
	case "text":
		text = r.text()
	case "markdown":
		text = r.markdown()
	case "csv":
		text = r.csv()
	case "jsonl":
		text, err = r.jsonl()
	default:
		return CheckFormat(format)
	}
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	return nil
}

// percent shows a share with as many digits as it takes: 3%, 0.5%.
func percent(v float64) string { return fmt.Sprintf("%.4g%%", 100*v) }

// signedPercent shows a change: +6.12%, +15.2× for much more, +∞ where the old value is 0.
func signedPercent(v float64) string {
	switch {
	case math.IsInf(v, 0):
		return strings.TrimSuffix(fmt.Sprintf("%+v", v), "Inf") + "∞"
	case math.Abs(v) >= 998.5:
		return fmt.Sprintf("%+.0f×", v+1)
	case math.Abs(v) >= 9.995:
		return fmt.Sprintf("%+.3g×", v+1)
	}
	if text := fmt.Sprintf("%+.2f%%", 100*v); text != "-0.00%" {
		return text
	}
	return "+0.00%"
}

// rounded keeps 8 significant digits, for programs: what is beyond differs between processors,
// since some fuse multiplication and addition.
func rounded(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 8, 64), 64)
	if err != nil {
		return v // an infinity that rounding made
	}
	return unsignedZero(r)
}

// unsignedZero keeps -0, which is how floating point writes some changes of nothing, from being
// shown.
func unsignedZero(v float64) float64 {
	if v == 0 {
		return 0
	}
	return v
}

// cells are the columns of a row as people read them.
type cells struct{ name, old, oldRange, new, newRange, change, interval, p, verdict string }

var cellNames = []string{"benchmark", "old", "±", "new", "±", "change", "95% interval", "p", "verdict"}

func (c cells) list() []string {
	return []string{c.name, c.old, c.oldRange, c.new, c.newRange, c.change, c.interval, c.p, c.verdict}
}

// scales returns the scales of the sides. They share one, so that they can be compared by eye,
// unless one is a thousand times the other.
func scales(r Row, class benchunit.Class) [2]benchunit.Scaler {
	low, high := min(r.Old.Median, r.New.Median), max(r.Old.Median, r.New.Median)
	if low > 0 && high/low >= 1000 {
		return [2]benchunit.Scaler{benchunit.CommonScale([]float64{r.Old.Median}, class), benchunit.CommonScale([]float64{r.New.Median}, class)}
	}
	common := benchunit.CommonScale([]float64{r.Old.Median, r.New.Median}, class)
	return [2]benchunit.Scaler{common, common}
}

// cellsOf renders the rows of a table.
func cellsOf(t Table) []cells {
	class := benchunit.ClassOf(t.Unit)
	list := make([]cells, 0, len(t.Rows))
	for _, r := range t.Rows {
		c := cells{name: r.Name, verdict: strings.TrimSpace(string(r.Verdict) + " " + marksOf(r))}
		show := func(s Side, scale benchunit.Scaler) (center, within string) {
			if s.Samples == 0 {
				return "", ""
			}
			if t.Exact {
				return fmt.Sprintf("%.8g", s.Median), ""
			}
			return scale.Format(s.Median), s.PlusMinus()
		}
		scale := scales(r, class)
		c.old, c.oldRange = show(r.Old, scale[0])
		c.new, c.newRange = show(r.New, scale[1])
		if r.Verdict.Compared() {
			c.change = signedPercent(r.Effect.Change)
			if r.Effect.Noise {
				c.interval = fmt.Sprintf("%s to %s", signedPercent(r.Effect.Lo), signedPercent(r.Effect.Hi))
				c.p = fmt.Sprintf("%.3f", r.Effect.P)
				if r.Effect.P < 0.001 {
					c.p = "<0.001"
				}
			}
		}
		list = append(list, c)
	}
	return list
}

// The marks that people see beside verdicts.
const (
	markWithheld  = "*"
	markStretched = "†"
)

func marksOf(r Row) (marks string) {
	if r.Withheld != "" {
		marks += markWithheld
	}
	if r.Effect.Stretched {
		marks += markStretched
	}
	return marks
}

// legend explains the marks that rows have.
func (r *Report) legend() []string {
	count := map[string]int{}
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			for _, mark := range marksOf(row) {
				count[string(mark)]++
			}
		}
	}
	var lines []string
	if count[markWithheld] > 0 {
		lines = append(lines, markWithheld+" seems to have changed, but in so few runs that may come from where the program lay in memory")
	}
	if count[markStretched] > 0 {
		lines = append(lines, markStretched+" samples are alike that were taken one after the other, so they count for fewer")
	}
	return lines
}

// summary says in a line how many rows have which verdict, and how sharp the comparison was.
func (r *Report) summary() string {
	count := r.Count()
	var parts []string
	for _, v := range Verdicts() {
		if n := count[v]; n > 0 {
			parts = append(parts, v.count(n))
		}
	}
	text := "nothing compared"
	if len(parts) > 0 {
		text = strings.Join(parts, ", ")
	}
	if d := r.detectable(); d > 0 {
		text += fmt.Sprintf("; in a typical benchmark a change of %s or more would have shown", percent(math.Round(d*1000)/1000))
	}
	return text
}

// count says how many rows have the verdict.
func (v Verdict) count(n int) string {
	switch v {
	case Regression, Improvement:
		return plural(n, strings.ToLower(string(v)))
	case Small:
		return plural(n, "small change")
	case NoChange, TooFew:
		return fmt.Sprintf("%d with %s", n, v)
	}
	return fmt.Sprintf("%d %s", n, v)
}

// detectable is the median of what would have been noticed, over all rows with noise in which no
// change was. What is significant counts only beyond the threshold.
func (r *Report) detectable() float64 {
	var all []float64
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if row.Effect.Noise && !row.Verdict.beyond() {
				all = append(all, max(row.Effect.Detectable, t.Threshold))
			}
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	if d := all[len(all)/2]; !math.IsInf(d, 0) {
		return d
	}
	return 0
}
