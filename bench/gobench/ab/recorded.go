package ab

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchproc"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/english"
	"simhashkit/internal/process"
)

// The head lines of a saved side. Each run also has a line "# date:".
const (
	orderField      = "order"      // the seed and the start time, which are the same for both sides
	thresholdsField = "thresholds" // unless they are the defaults
	alphaField      = "alpha"      // unless it is the default
	roundField      = "round"      // before each run: "3 of task 1", perhaps with ", failed"
)

// Save writes the output of a side in a format that Recorded reads. thresholds are the texts that
// the thresholds of the options were parsed from.
func (r *Result) Save(w io.Writer, new bool, thresholds []string) error {
	side := &r.engine.old
	if new {
		side = &r.engine.new
	}
	head := fmt.Sprintf("# %s: %d %s\n", orderField, r.engine.Seed, r.engine.start.UTC().Format(time.RFC3339))
	if len(thresholds) > 0 {
		head += fmt.Sprintf("# %s: %s\n", thresholdsField, strings.Join(thresholds, " "))
	}
	if r.Report.Alpha != compare.DefaultAlpha {
		head += fmt.Sprintf("# %s: %v\n", alphaField, r.Report.Alpha)
	}
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	_, err := w.Write(side.text.Bytes())
	return err
}

// Recorded judges two saved sides by their rounds, as Run does. Rules that are not set are those of
// the saved run. Recorded returns nil if the inputs are not two sides of one run.
func Recorded(old, new compare.Input, rules compare.Rules) (*compare.Report, error) {
	var sides [2]*resultfile.Document
	for i, in := range []compare.Input{old, new} {
		var err error
		if sides[i], err = resultfile.NewDocument(in.Text, in.Name); err != nil {
			return nil, fmt.Errorf("ab: %w", err)
		}
	}
	order := resultfile.ValueOf(sides[0].Head, orderField)
	if order == "" || order != resultfile.ValueOf(sides[1].Head, orderField) {
		return nil, nil
	}
	rules, err := savedRules(rules, sides[0])
	if err != nil {
		return nil, err
	}
	runs := [2]map[turn][]byte{runsOf(sides[0]), runsOf(sides[1])}
	var turns []turn
	tasks := 0
	for t := range runs[0] {
		if _, ok := runs[1][t]; ok {
			turns, tasks = append(turns, t), max(tasks, t.task+1)
		}
	}
	slices.SortFunc(turns, func(a, b turn) int { return cmp.Or(a.round-b.round, a.task-b.task) })
	j, err := newJudge(rules, tasks)
	if err != nil {
		return nil, err
	}
	opened := false
	for _, t := range turns {
		if t.round > 1 && !opened {
			j.open()
			opened = true
		}
		j.add(t.task, t.round, j.parser.parse(runs[0][t]), j.parser.parse(runs[1][t]))
	}
	if !opened {
		j.open()
	}
	j.close()
	report, err := compare.Compare([]compare.Input{old, new}, compare.Options{Rules: rules, Judge: j.judgement})
	if err != nil {
		return nil, fmt.Errorf("ab: %w", err)
	}
	seed, start, _ := strings.Cut(order, " ")
	report.Notes = append(report.Notes, fmt.Sprintf("judged by the rounds of fphash ab (seed %s, %s)", seed, start))
	j.notes(report, func(_, rounds int) string { return "about " + english.Count(rounds, "more round") })
	return report, nil
}

// savedRules returns the rules. Rules that are not set are those of the saved run.
func savedRules(rules compare.Rules, d *resultfile.Document) (compare.Rules, error) {
	if texts := strings.Fields(resultfile.ValueOf(d.Head, thresholdsField)); rules.Threshold == nil && len(texts) > 0 {
		t, err := compare.ParseThresholds(texts)
		if err != nil {
			return rules, fmt.Errorf("ab: %s: line # %s: %w", d.Name, thresholdsField, err)
		}
		rules.Threshold = t
	}
	if text := resultfile.ValueOf(d.Head, alphaField); rules.Alpha == 0 && text != "" {
		alpha, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return rules, fmt.Errorf("ab: %s: line # %s: expected a number, got %q", d.Name, alphaField, text)
		}
		rules.Alpha = alpha
	}
	rules, err := rules.WithDefaults()
	if err != nil {
		return rules, fmt.Errorf("ab: %w", err)
	}
	return rules, nil
}

// turn identifies a run of a side. Tasks count from 0, and the rounds of each task from 1.
type turn struct{ task, round int }

// runsOf returns the outputs of the successful runs of a saved side.
func runsOf(d *resultfile.Document) map[turn][]byte {
	runs := map[turn][]byte{}
	var now turn
	for line := range bytes.Lines(d.Text) {
		text, head := strings.CutPrefix(strings.TrimSpace(string(line)), "# "+roundField+": ")
		if !head {
			if run, ok := runs[now]; ok {
				runs[now] = append(run, line...)
			}
			continue
		}
		now = turn{}
		place, failed := strings.CutSuffix(text, ", failed")
		if _, err := fmt.Sscanf(place, "%d of task %d", &now.round, &now.task); failed || err != nil || now.round < 1 || now.task < 0 {
			now = turn{} // skip the following lines
			continue
		}
		runs[now] = nil
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
		if resultfile.HasPrefix(line, "--- FAIL: ", "FAIL\t", "panic: ", "# error: ") {
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

type figure struct {
	value    float64 // the better quartile; see undisturbed
	mean     float64 // of all samples
	samples  int
	constant bool // all samples are equal
}

type figures struct {
	order []place // in order of appearance
	of    map[place]figure
}

// parser reads outputs, and groups results in the same way as package compare.
type parser struct {
	reader     resultfile.Reader
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

// parse returns the figures of a run, without exact units and values that are not finite.
func (p *parser) parse(text []byte) figures {
	samples := map[place][]float64{}
	var run figures
	for r := range p.reader.Results(text) {
		row := p.row.Project(r).StringValues()
		tables := p.table.ProjectValues(r)
		for i, v := range r.Values {
			if compare.Repeats(r.Values, i, func(int) bool { return true }) {
				continue
			}
			at := place{configOf(compare.FieldsOf(tables[i])), row, v.Unit}
			if p.reader.Units().Exact(v.Unit) || math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
				continue
			}
			if samples[at] == nil {
				run.order = append(run.order, at)
			}
			samples[at] = append(samples[at], v.Value)
		}
	}
	run.of = make(map[place]figure, len(run.order))
	for _, at := range run.order {
		run.of[at] = figure{undisturbed(at.unit, samples[at]), mean(samples[at]), len(samples[at]), slices.Min(samples[at]) == slices.Max(samples[at])}
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

// mean returns the mean without overflow.
func mean(values []float64) float64 {
	m := 0.0
	for i, v := range values {
		m += v/float64(i+1) - m/float64(i+1)
	}
	return m
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
