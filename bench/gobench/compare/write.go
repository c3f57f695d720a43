package compare

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/perf/benchunit"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/english"
	"simhashkit/internal/gobench/samples"
	"simhashkit/internal/texttable"
)

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "markdown", "github", "jsonl"} }

// Write writes the report as text for a terminal, as Markdown for a pull request, as annotations of
// a GitHub workflow followed by the text, or as JSON lines. The last JSON line is the summary.
func Write(w io.Writer, r *Report, format string) error {
	var text string
	var err error
	switch format {
	case "text":
		text = r.text()
	case "markdown":
		text = r.markdown()
	case "github":
		text = r.annotations() + r.text()
	case "jsonl":
		text, err = r.jsonl()
	default:
		return fmt.Errorf("compare: unknown format %q; expected %s", format, strings.Join(Formats(), ", "))
	}
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	return nil
}

const textWidth = 120

func (r *Report) text() string {
	var out strings.Builder
	var above []resultfile.Field
	for _, t := range r.Tables {
		for _, f := range t.Config {
			if !slices.Contains(above, f) {
				fmt.Fprintf(&out, "%s: %s\n", f.Name, f.Value)
			}
		}
		above = t.Config
		fmt.Fprintf(&out, "%s\n\n", t.Title())
		fmt.Fprintf(&out, "%s\n\n", textTable(t.Cells()))
	}
	out.WriteString(r.remarks())
	for _, words := range []string{r.Summary(), "Verdict: " + r.Verdict() + "."} {
		fmt.Fprintf(&out, "%s\n", strings.Join(texttable.Wrap(words, textWidth), "\n"))
	}
	return out.String()
}

// textTable renders rows. If names make the table too wide, their common parts are moved above it.
func textTable(columns []string, rows [][]string) string {
	render := func() string {
		t := texttable.Aligned([]int{0, len(columns) - 1}, columns...)
		for _, cells := range rows {
			row := make(texttable.Row, len(cells))
			for i, cell := range cells {
				row[i] = cell
			}
			t.AppendRow(row)
		}
		return t.Render()
	}
	table := render()
	rule := strings.Split(table, "\n")[1]
	if utf8.RuneCountInString(rule) <= textWidth {
		return table
	}
	var names []string
	for _, cells := range rows {
		names = append(names, cells[0])
	}
	common, names := commonParts(names)
	if common == "" {
		return table
	}
	for i, cells := range rows {
		cells[0] = names[i]
	}
	return common + ":\n\n" + render()
}

// commonParts removes the parts that all names share, except the last part of a name that would
// become empty.
func commonParts(names []string) (common string, rest []string) {
	shared := strings.Split(names[0], "/")
	if len(names) == 1 {
		shared = shared[:len(shared)-1]
	}
	for _, name := range names {
		parts := strings.Split(name, "/")
		shared = slices.DeleteFunc(shared, func(part string) bool { return !slices.Contains(parts, part) })
	}
	for _, name := range names {
		left := slices.DeleteFunc(strings.Split(name, "/"), func(part string) bool { return slices.Contains(shared, part) })
		rest = append(rest, cmp.Or(strings.Join(left, "/"), name[strings.LastIndexByte(name, '/')+1:]))
	}
	return strings.Join(shared, "/"), rest
}

// remarks returns gaps and notes as lines of text.
func (r *Report) remarks() string {
	var out strings.Builder
	add := func(kind string, lines []string) {
		for _, line := range lines {
			parts := texttable.Wrap(line, textWidth-len(kind))
			fmt.Fprintf(&out, "%s%s\n", kind, strings.Join(parts, "\n"+strings.Repeat(" ", len(kind))))
		}
	}
	add("GAP   ", r.GapLines())
	add("note  ", r.Notes)
	return out.String()
}

// Cells renders a table as text: the names of its columns, and the cells of each row.
func (t Table) Cells() (columns []string, rows [][]string) {
	columns = []string{"benchmark", "old", "±", "new", "±", "change", "95% interval", "verdict"}
	class := benchunit.ClassOf(t.Unit)
	show := func(s Side, scale benchunit.Scaler) (center, within string) {
		switch {
		case s.Samples == 0:
			return "", ""
		case t.Exact:
			return fmt.Sprintf("%.8g", s.Median), ""
		}
		return scale.Format(s.Median), s.PlusMinus()
	}
	for _, r := range t.Rows {
		scale := benchunit.CommonScale([]float64{r.Old.Median, r.New.Median}, class)
		scaleNew := scale
		if low, high := math.Abs(r.Old.Median), math.Abs(r.New.Median); min(low, high) > 0 && max(low, high)/min(low, high) >= 1000 {
			scale, scaleNew = benchunit.CommonScale([]float64{r.Old.Median}, class), benchunit.CommonScale([]float64{r.New.Median}, class)
		}
		old, oldRange := show(r.Old, scale)
		new, newRange := show(r.New, scaleNew)
		var change, interval string
		if r.Verdict.Compared() {
			change = signedPercent(r.Effect.Change)
			if r.Effect.Noise && !math.IsInf(r.Effect.Hi, 1) {
				interval = fmt.Sprintf("%s to %s", signedPercent(r.Effect.Lo), signedPercent(r.Effect.Hi))
			}
		}
		rows = append(rows, []string{r.Name, old, oldRange, new, newRange, change, interval, string(r.Verdict)})
	}
	return columns, rows
}

// Title describes what a table compares and by which rule.
func (t Table) Title() string {
	direction := map[int]string{-1: "lower is better", 0: "direction unknown", +1: "higher is better"}[t.Better]
	kind := fmt.Sprintf("threshold %s", percent(t.Threshold))
	constant := func(r Row) bool { return r.Verdict.Compared() && !r.Effect.Noise }
	varies := func(r Row) bool { return r.Verdict.Compared() && r.Effect.Noise }
	if t.Exact || samples.CountsAllocations(t.Unit) && slices.ContainsFunc(t.Rows, constant) {
		kind = "exact"
		if slices.ContainsFunc(t.Rows, varies) {
			kind = "exact where constant"
		}
		if t.Threshold > 0 {
			kind += fmt.Sprintf(", changes up to %s are small", percent(t.Threshold))
		}
	}
	return fmt.Sprintf("%s (%s, %s): %s → %s", t.Unit, direction, kind, t.Old, t.New)
}

// percent formats a fraction as a percentage: 3%, 0.5%.
func percent(v float64) string { return fmt.Sprintf("%.4g%%", 100*v) }

// signedPercent formats a change: +6.12%, or +15.2× if it is large, or +∞ if the old value is 0.
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

// rounded rounds to 8 significant digits, and removes the sign of 0.
func rounded(v float64) float64 {
	if v == 0 {
		return 0
	}
	return samples.Round8(v)
}

// finite returns a rounded value, or nil if it is infinite.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	v = rounded(v)
	return &v
}

// markdown returns the outcome, changed rows and gaps, and then all rows in a collapsed section.
func (r *Report) markdown() string {
	var out strings.Builder
	headline := "No regression"
	if n := r.Regressions(); n > 0 {
		headline = english.Count(n, "regression")
	} else if r.mostlyUnclear() {
		headline = "No verdict"
	}
	if n := r.OpenGaps(); n > 0 {
		headline += fmt.Sprintf(", %d not compared", n)
	}
	fmt.Fprintf(&out, "### Benchmarks: %s\n\n%s.\n\n%s.\n", headline, escape(english.Sentence(r.Verdict())), escape(r.Summary()))
	r.markdownTables(&out, "**%s**", func(r Row) bool { return r.Verdict.beyond() || r.Withheld != "" })
	for _, remarks := range []struct {
		heading string
		lines   []string
	}{{"Could not be compared", r.GapLines()}, {"Notes", r.Notes}} {
		if len(remarks.lines) > 0 {
			fmt.Fprintf(&out, "\n**%s**\n\n", remarks.heading)
		}
		for _, line := range remarks.lines {
			fmt.Fprintf(&out, "- %s\n", escape(line))
		}
	}
	var all strings.Builder
	r.markdownTables(&all, "#### %s", func(Row) bool { return true })
	if all.Len() > 0 {
		fmt.Fprintf(&out, "\n<details><summary>All benchmarks</summary>\n%s\n</details>\n", all.String())
	}
	return out.String()
}

// annotations returns a GitHub workflow command for each regression and each gap.
func (r *Report) annotations() string {
	var out strings.Builder
	message := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	title := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, t := range r.Tables {
		_, rows := t.Cells()
		for i, c := range rows {
			if t.Rows[i].Verdict != Regression {
				continue
			}
			text := fmt.Sprintf("%s: %s → %s (%s)", t.Unit, c[1], c[3], c[5])
			fmt.Fprintf(&out, "::error title=%s::%s\n", title.Replace("Regression of "+t.Rows[i].Name), message.Replace(text))
		}
	}
	for _, line := range r.GapLines() {
		fmt.Fprintf(&out, "::warning title=Not compared::%s\n", message.Replace(line))
	}
	return out.String()
}

// markdownTables writes the wanted rows of each table. title is the format string of the titles.
func (r *Report) markdownTables(out *strings.Builder, title string, wanted func(Row) bool) {
	for _, t := range r.Tables {
		var lines []string
		columns, rows := t.Cells()
		for i, c := range rows {
			if !wanted(t.Rows[i]) {
				continue
			}
			for _, cell := range c {
				lines = append(lines, "| "+escape(cell)+" ")
			}
			lines = append(lines, "|\n")
		}
		if len(lines) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n"+title+"\n\n", escape(t.Title()))
		fmt.Fprintf(out, "| %s |\n| --- |%s --- |\n%s", strings.Join(columns, " | "), strings.Repeat(" ---: |", len(columns)-2), strings.Join(lines, ""))
	}
}

// escape escapes characters that have a meaning in Markdown or HTML.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "@", "&#64;", "\r", " ", "\n", " ").Replace(s)
}

var betterNames = map[int]string{-1: "lower", 0: "", +1: "higher"}

// The lines of the JSON format. Missing and infinite numbers are omitted.
type (
	jsonRow struct {
		Type      string            `json:"type"` // comparison
		Config    map[string]string `json:"config"`
		Unit      string            `json:"unit"`
		Exact     bool              `json:"exact"`
		Better    string            `json:"better,omitempty"`
		Threshold float64           `json:"threshold"`
		Benchmark string            `json:"benchmark"`
		Old       *jsonSide         `json:"old,omitempty"`
		New       *jsonSide         `json:"new,omitempty"`
		Effect    *jsonEffect       `json:"effect,omitempty"`
		Verdict   Verdict           `json:"verdict"`
		// the verdict if gaps of the kind runs were accepted
		Withheld Verdict `json:"withheld,omitempty"`
	}
	jsonSide struct {
		Column  string   `json:"column"`
		Center  float64  `json:"center"`
		Lo      *float64 `json:"lo,omitempty"`
		Hi      *float64 `json:"hi,omitempty"`
		Samples int      `json:"samples"`
		Runs    int      `json:"runs"`
		File    string   `json:"file"`
		Line    int      `json:"line"`
	}
	jsonEffect struct {
		Change     *float64 `json:"change,omitempty"`
		Lo         *float64 `json:"lo,omitempty"`
		Hi         *float64 `json:"hi,omitempty"`
		P          float64  `json:"p"`
		Detectable *float64 `json:"detectable,omitempty"`
	}
	jsonSummary struct {
		Type       string          `json:"type"` // summary
		Alpha      float64         `json:"alpha"`
		Verdicts   map[Verdict]int `json:"verdicts"`
		Gaps       int             `json:"gaps"` // that are not accepted
		Conclusion string          `json:"conclusion"`
	}
)

func (r *Report) jsonl() (string, error) {
	var lines []any
	for _, t := range r.Tables {
		config := map[string]string{}
		for _, f := range t.Config {
			config[f.Name] = f.Value
		}
		for _, row := range t.Rows {
			line := jsonRow{Type: "comparison", Config: config, Unit: t.Unit, Exact: t.Exact, Better: betterNames[t.Better], Threshold: t.Threshold,
				Benchmark: row.Name, Old: row.Old.json(t.Old), New: row.New.json(t.New), Verdict: row.Verdict, Withheld: row.Withheld}
			if e := row.Effect; row.Verdict.Compared() {
				line.Effect = &jsonEffect{finite(e.Change), finite(e.Lo), finite(e.Hi), rounded(e.P), nil}
				if e.Noise {
					line.Effect.Detectable = finite(e.Detectable)
				}
			}
			lines = append(lines, line)
		}
	}
	for _, g := range r.Gaps {
		lines = append(lines, struct {
			Type string `json:"type"`
			Gap
		}{"gap", g})
	}
	for _, n := range r.Notes {
		lines = append(lines, struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		}{"note", n})
	}
	lines = append(lines, jsonSummary{"summary", r.Alpha, r.Count(), r.OpenGaps(), r.Verdict()})
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for _, v := range lines {
		if err := encoder.Encode(v); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}

func (s Side) json(column string) *jsonSide {
	if s.Samples == 0 {
		return nil
	}
	return &jsonSide{column, rounded(s.Median), finite(s.Lo), finite(s.Hi), s.Samples, s.Runs, s.File, s.Line}
}

// Conclusion describes the outcome in words, without a full stop.
func (r *Report) Conclusion() string {
	same := english.Count(len(r.Same), "package")
	switch {
	case len(r.Same) == 0:
		return r.conclusion()
	case len(r.Tables) == 0 && r.OpenGaps() == 0:
		return fmt.Sprintf("nothing to measure: both sides build the same test %s of %s", english.Plural(len(r.Same), "binary", "binaries"), same)
	}
	return fmt.Sprintf("%s; %s not measured, since the test binaries are identical", r.conclusion(), same)
}

func (r *Report) conclusion() string {
	count, compared, open := r.Count(), 0, r.OpenGaps()
	for verdict, n := range count {
		if verdict.Compared() {
			compared += n
		}
	}
	comparisons := english.Count(compared, "comparison")
	missed := english.Count(open, "thing") + " could not be compared"
	switch n := count[Regression]; {
	case n > 0:
		text := fmt.Sprintf("%s in %s", english.Count(n, "regression"), comparisons)
		if open > 0 {
			text += ", and " + missed
		}
		return text
	case open > 0 && compared == 0:
		return "nothing could be compared"
	case r.mostlyUnclear():
		undecided, noisy := r.undecided()
		text := fmt.Sprintf("no verdict: %d of %s %s undecided", undecided, english.Count(noisy, "comparison"), english.Plural(undecided, "is", "are"))
		if other := r.OpenGaps(gapUnclear); other > 0 {
			text += ", and " + english.Count(other, "thing") + " could not be compared"
		}
		return text
	case open > 0:
		return fmt.Sprintf("no regression in %s, but %s, which may hide one", comparisons, missed)
	case compared == 0:
		return "nothing was compared"
	case count[Unclear] > 0:
		return fmt.Sprintf("no regression in %s, but %d %s undecided", comparisons, count[Unclear], english.Plural(count[Unclear], "is", "are"))
	}
	return "no regression in " + comparisons
}

// mostlyUnclear reports whether too many of the comparisons with noise are unclear.
func (r *Report) mostlyUnclear() bool {
	undecided, noisy := r.undecided()
	return float64(undecided) > maxUnclear*float64(noisy) || r.strict && undecided > 0
}

// undecided counts the comparisons without a verdict, and those with noise, which could lack one.
// It ignores allocations: programs that allocate by chance would never have a verdict.
func (r *Report) undecided() (undecided, noisy int) {
	for t, row := range r.rows() {
		switch {
		case samples.CountsAllocations(t.Unit):
		case row.Verdict == Unclear:
			undecided++
			noisy++
		case row.Verdict.Compared() && row.Effect.Noise:
			noisy++
		}
	}
	return undecided, noisy
}

// Verdict returns the conclusion with the largest regression, or else with the noisiest unclear
// row.
func (r *Report) Verdict() string {
	count := r.Count()
	switch {
	case count[Regression] > 0:
		return r.Conclusion() + "; worst: " + r.first(Regression, func(t Table, row Row) float64 { return cost(t, row.Effect) })
	case count[Unclear] > 0 && (r.OpenGaps() == 0 || r.mostlyUnclear()):
		return r.Conclusion() + "; noisiest: " + r.first(Unclear, func(_ Table, row Row) float64 { return row.Effect.Detectable })
	}
	return r.Conclusion()
}

// cost returns how much worse a row got, on a logarithmic scale: half the rate costs as much as
// twice the time.
func cost(t Table, e Effect) float64 { return -float64(t.Better) * math.Log1p(max(e.Change, -1)) }

// first describes the row of a verdict with the highest score: "Parse/size=1k-2 sec/op +8.14%". If
// scores differ only by rounding, such as those of a time and its rate, it chooses the first row.
func (r *Report) first(v Verdict, score func(Table, Row) float64) string {
	var table Table
	var row *Row
	for t, candidate := range r.rows() {
		if candidate.Verdict == v && (row == nil || score(t, *candidate) > (1+1e-9)*score(table, *row)) {
			table, row = t, candidate
		}
	}
	words := []string{row.Name, table.Unit}
	if v == Regression {
		words = append(words, signedPercent(row.Effect.Change))
	}
	for i, name := range []string{"of " + resultfile.ValueOf(table.Config, "pkg"), "in " + table.New} {
		differs := func(t Table) bool { return []string{resultfile.ValueOf(t.Config, "pkg"), t.New}[i] != name[3:] }
		if name[3:] != "" && slices.ContainsFunc(r.Tables, differs) {
			words = append(words, name)
		}
	}
	return strings.Join(words, " ")
}

// Summary returns the number of rows of each verdict, and which change would have been detected.
func (r *Report) Summary() string {
	count := r.Count()
	var parts []string
	for _, v := range allVerdicts {
		if n := count[v]; n > 0 {
			parts = append(parts, v.count(n))
		}
	}
	text := cmp.Or(strings.Join(parts, ", "), "nothing compared")
	if d := r.detectable(); d > 0 {
		which := "in a typical benchmark"
		if count[Regression]+count[Improvement]+count[Changed] > 0 { // rows that have changed may have changed by less
			which = "in a typical other benchmark"
		}
		text += fmt.Sprintf("; %s a change of %s or more would have been detected", which, percent(math.Round(d*1000)/1000))
	}
	return text + r.means()
}

// means describes the geometric means of the changes in units with noise: "; geometric mean: sec/op
// +0.4%".
func (r *Report) means() (text string) {
	logs := map[string][]float64{}
	for t, row := range r.rows() {
		if row.Verdict.Compared() && row.Effect.Noise && row.Effect.Change > -1 && !math.IsInf(row.Effect.Change, 1) {
			logs[t.Unit] = append(logs[t.Unit], math.Log1p(row.Effect.Change))
		}
	}
	for _, unit := range slices.Sorted(maps.Keys(logs)) {
		if len(logs[unit]) > 1 {
			text += fmt.Sprintf(", %s %s", unit, signedPercent(math.Expm1(samples.Mean(logs[unit]))))
		}
	}
	if text == "" || r.mostlyUnclear() {
		return ""
	}
	return "; geometric mean: " + text[2:]
}

func (v Verdict) count(n int) string {
	switch v {
	case Regression, Improvement:
		return english.Count(n, strings.ToLower(string(v)))
	case Small:
		return english.Count(n, "small change")
	case NoChange, TooFew:
		return fmt.Sprintf("%d with %s", n, v)
	}
	return fmt.Sprintf("%d %s", n, v)
}

// detectable returns the median of the detectable changes of the rows with noise.
func (r *Report) detectable() float64 {
	var all []float64
	for t, row := range r.rows() {
		if row.Effect.Noise && !row.Verdict.beyond() && !samples.CountsAllocations(t.Unit) {
			all = append(all, max(row.Effect.Detectable, t.Threshold))
		}
	}
	if slices.Sort(all); len(all) == 0 || math.IsInf(all[len(all)/2], 0) {
		return 0
	}
	return all[len(all)/2]
}
