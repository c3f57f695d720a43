package ab

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchproc"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/english"
	"simhashkit/internal/gobench/samples"
	"simhashkit/internal/process"
)

// The head lines of a saved side. Each run also has a line "# date:".
const (
	orderField = "order" // the seed and the start time, which are the same for both sides
	rulesField = "rules" // savedRules in JSON
	roundField = "round" // before each run: "3 of task 1", perhaps with ", failed"
)

type savedRules struct {
	Threshold *compare.Thresholds
	Alpha     float64
}

// Save writes the output of side 0 or 1 in a format that Recorded reads.
func (r *Result) Save(w io.Writer, side int) error {
	e := &r.engine
	rules, err := json.Marshal(savedRules{e.Rules.Threshold, e.Rules.Alpha})
	if err != nil {
		return fmt.Errorf("ab: %w", err)
	}
	_, err = fmt.Fprintf(w, "# %s: %d %s\n# %s: %s\n%s", orderField, e.Seed, e.start.UTC().Format(time.RFC3339), rulesField, rules, e.sides[side].text.Bytes())
	return err
}

// Recorded judges two saved sides by their rounds, as Run does. Rules that are not set are those of
// the saved run. Recorded returns nil if the inputs are not two sides of one run.
func Recorded(old, new compare.Input, rules compare.Options) (*compare.Report, error) {
	var sides [2]*samples.Document
	for i, in := range []compare.Input{old, new} {
		var err error
		if sides[i], err = samples.NewDocument(in.Text, in.Name); err != nil {
			return nil, fmt.Errorf("ab: %w", err)
		}
	}
	order := sides[0].Value(orderField)
	if order == "" || order != sides[1].Value(orderField) {
		return nil, nil
	}
	var saved savedRules
	if err := json.Unmarshal([]byte(cmp.Or(sides[0].Value(rulesField), "{}")), &saved); err != nil {
		return nil, fmt.Errorf("ab: %s: line # %s: %w", old.Name, rulesField, err)
	}
	rules.Threshold, rules.Alpha = cmp.Or(rules.Threshold, saved.Threshold), cmp.Or(rules.Alpha, saved.Alpha)
	rules, err := rules.WithDefaults()
	if err != nil {
		return nil, fmt.Errorf("ab: %w", err)
	}
	runs := [2]map[turn][]byte{runsOf(sides[0]), runsOf(sides[1])}
	var turns []turn
	for t := range runs[0] {
		if _, ok := runs[1][t]; ok {
			turns = append(turns, t)
		}
	}
	slices.SortFunc(turns, func(a, b turn) int { return cmp.Or(a.round-b.round, a.task-b.task) })
	j, err := newJudge(rules)
	if err != nil {
		return nil, err
	}
	for _, t := range turns {
		if t.round > 1 && !j.opened {
			j.open()
		}
		j.add(t.task, j.parser.parse(runs[0][t]), j.parser.parse(runs[1][t]))
	}
	j.close()
	seed, start, _ := strings.Cut(order, " ")
	return j.report(old, new, fmt.Sprintf("judged by the rounds of fphash ab (seed %s, %s)", seed, start), func(_, rounds int) string {
		return "about " + english.Count(rounds, "more round")
	})
}

// turn identifies a run of a side. Tasks count from 0, and the rounds of each task from 1.
type turn struct{ task, round int }

// runsOf returns the outputs of the successful runs of a saved side.
func runsOf(d *samples.Document) map[turn][]byte {
	runs := map[turn][]byte{}
	for _, part := range bytes.Split(d.Text, []byte("\n# "+roundField+": "))[1:] {
		line, run, _ := bytes.Cut(part, []byte("\n"))
		var t turn
		if _, err := fmt.Sscanf(string(bytes.TrimSpace(line)), "%d of task %d\n", &t.round, &t.task); err == nil && t.round > 0 && t.task >= 0 {
			runs[t] = run
		}
	}
	return runs
}

type output struct {
	label string
	text  bytes.Buffer
}

// add appends a run. Package compare distinguishes runs by their date line, and Recorded
// distinguishes rounds by the line after it.
func (o *output) add(now time.Time, t turn, text []byte, err error) {
	fmt.Fprintf(&o.text, "# date: %s\n# %s: %d of task %d", now.UTC().Format(time.RFC3339), roundField, t.round, t.task)
	if err != nil {
		o.text.WriteString(", failed")
	}
	o.text.WriteByte('\n')
	o.text.Write(text)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		o.text.WriteByte('\n')
	}
}

// fail appends an error line for a failed run, unless its output already reports the failure.
func (o *output) fail(task string, text []byte, err error) {
	for line := range bytes.Lines(text) {
		if samples.HasPrefix(line, "--- FAIL: ", "FAIL\t", "panic: ", "# error: ") {
			return
		}
	}
	reason := err.Error()
	var failure *process.Failure
	// without standard error, which would be too long for a line
	if errors.As(err, &failure) {
		reason = strings.Replace(reason, failure.Error(), failure.Reason(), 1)
	}
	fmt.Fprintf(&o.text, "# error: %s: %s\n", task, strings.Join(strings.Fields(reason), " "))
}

func (o *output) input() compare.Input {
	return compare.Input{Label: o.label, Name: o.label, Text: o.text.Bytes()}
}

// place identifies a row of a report: the configuration of its table, its name and its unit.
type place struct{ config, row, unit string }

// figure is the figure of a run at a place.
type figure struct {
	at       place
	value    float64 // the better quartile; see undisturbed
	mean     float64 // of all samples
	samples  int
	constant bool // all samples are equal
}

// parser reads outputs, and groups results in the same way as package compare.
type parser struct {
	reader     samples.Reader
	table, row *benchproc.Projection
}

func newParser(ignore string) (*parser, error) {
	filter, err := benchproc.NewFilter("*")
	var projections benchproc.ProjectionParser
	table, _, errTable := projections.ParseWithUnit(".config", filter)
	row, errRow := projections.Parse(".fullname", filter)
	if err := cmp.Or(err, errTable, errRow); err != nil {
		return nil, fmt.Errorf("ab: %w", err)
	}
	if _, err := projections.Parse(ignore, filter); err != nil {
		return nil, fmt.Errorf("ab: keys to ignore, %q: %w", ignore, err)
	}
	return &parser{table: table, row: row}, nil
}

// parse returns the figures of a run in order of appearance, without exact units and values that
// are not finite.
func (p *parser) parse(text []byte) (run []figure) {
	values := map[place][]float64{}
	var order []place
	for r := range p.reader.Results(text) {
		row := p.row.Project(r).StringValues()
		tables := p.table.ProjectValues(r)
		for i, v := range r.Values {
			if samples.Repeats(r.Values, i, func(int) bool { return true }) {
				continue
			}
			at := place{configOf(compare.FieldsOf(tables[i])), row, v.Unit}
			if p.reader.Exact(v.Unit) || math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
				continue
			}
			if values[at] == nil {
				order = append(order, at)
			}
			values[at] = append(values[at], v.Value)
		}
	}
	for _, at := range order {
		v := values[at]
		run = append(run, figure{at, undisturbed(at.unit, v), samples.Mean(v), len(v), slices.Min(v) == slices.Max(v)})
	}
	return run
}

func placeOf(t compare.Table, r compare.Row) place { return place{configOf(t.Config), r.Name, t.Unit} }

// configOf returns a string that identifies a set of fields, regardless of their order.
func configOf(fields []resultfile.Field) string {
	lines := make([]string, len(fields))
	for i, f := range fields {
		lines[i] = f.Name + ": " + f.Value
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// undisturbed estimates the figure of a run without disturbances: the better quartile of the
// samples for times and rates, and the median for other units. Interrupted samples are always
// slower. On a busy machine, the quartile of many short samples varies several times less than
// their median.
func undisturbed(unit string, values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	switch {
	case strings.HasSuffix(unit, "/s"):
		return quantile(v, 0.75)
	case unit == "sec" || strings.HasPrefix(unit, "sec/") || strings.HasSuffix(unit, "-sec") || strings.Contains(unit, "-sec/"):
		return quantile(v, 0.25)
	}
	return quantile(v, 0.5)
}

// quantile returns the interpolated quantile of one or more sorted values.
func quantile(v []float64, p float64) float64 {
	at := p * float64(len(v)-1)
	i := int(at)
	if i+1 == len(v) || v[i] == v[i+1] {
		return v[i]
	}
	return v[i] + (v[i+1]-v[i])*(at-float64(i))
}
