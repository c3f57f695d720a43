package ab

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/gobench/resultfile"
)

// The head lines of a saved side, beside "# date:" before each run.
const (
	orderField      = "order"      // of the whole run: the seed and the start, which both sides share
	thresholdsField = "thresholds" // likewise: its rules, where they are not the defaults
	alphaField      = "alpha"
	roundField      = "round" // before each run: "3 of task 1", with ", failed" behind it
)

// Save writes what one side of a result printed, so that Recorded can judge both again. The
// thresholds are those that the options were parsed from; nil means the default.
func (r *Result) Save(w io.Writer, new bool, thresholds []string) error {
	text := r.Old
	if new {
		text = r.New
	}
	head := fmt.Sprintf("# %s: %d %s\n", orderField, r.seed, r.start)
	if len(thresholds) > 0 {
		head += fmt.Sprintf("# %s: %s\n", thresholdsField, strings.Join(thresholds, " "))
	}
	if r.Report.Alpha != compare.DefaultAlpha {
		head += fmt.Sprintf("# %s: %v\n", alphaField, r.Report.Alpha)
	}
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	_, err := w.Write(text)
	return err
}

// Recorded judges two saved sides by the rounds in which they were run, as Run did. Rules that are
// not set are those of that run. It returns nil if the inputs are not the two sides of one run; it
// has read them to their end then.
func Recorded(old, new compare.Input, rules compare.Rules) (*compare.Report, error) {
	var sides [2]*resultfile.Document
	for i, in := range []*compare.Input{&old, &new} {
		d, err := resultfile.ReadDocument(in.Reader, in.Name)
		if err != nil {
			return nil, fmt.Errorf("ab: %w", err)
		}
		sides[i], in.Reader = d, bytes.NewReader(d.Text)
	}
	order := sides[0].Value(orderField)
	if order == "" || order != sides[1].Value(orderField) {
		return nil, nil
	}
	rules, err := savedRules(rules, sides[0])
	if err != nil {
		return nil, err
	}
	runs := [2]map[turn]savedRun{runsOf(sides[0]), runsOf(sides[1])}
	var turns []turn
	tasks := 0
	for t := range runs[0] {
		if _, ok := runs[1][t]; ok {
			turns, tasks = append(turns, t), max(tasks, t.task+1)
		}
	}
	slices.SortFunc(turns, func(a, b turn) int {
		if a.round != b.round {
			return a.round - b.round
		}
		return a.task - b.task
	})
	j, err := newJudge(rules, false, tasks)
	if err != nil {
		return nil, err
	}
	opened := false
	for _, t := range turns {
		if t.round > 1 && !opened {
			j.open()
			opened = true
		}
		a, b := runs[0][t], runs[1][t]
		if !a.failed && !b.failed {
			j.add(t.task, t.round, j.parser.parse(a.text), j.parser.parse(b.text))
		}
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
	j.notes(report)
	return report, nil
}

// savedRules returns the rules, with those of the saved run where they are not set.
func savedRules(rules compare.Rules, d *resultfile.Document) (compare.Rules, error) {
	if texts := strings.Fields(d.Value(thresholdsField)); rules.Threshold == nil && len(texts) > 0 {
		t, err := compare.ParseThresholds(texts)
		if err != nil {
			return rules, fmt.Errorf("ab: %s: line # %s: %w", d.Name, thresholdsField, err)
		}
		rules.Threshold = t
	}
	if text := d.Value(alphaField); rules.Alpha == 0 && text != "" {
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

// turn names a run of a side: the tasks count from 0, the rounds of each task from 1.
type turn struct{ task, round int }

// savedRun is what a side printed in a run.
type savedRun struct {
	text   []byte
	failed bool
}

// runsOf returns the runs of a saved side.
func runsOf(d *resultfile.Document) map[turn]savedRun {
	runs := map[turn]savedRun{}
	var now turn
	for line := range bytes.Lines(d.Text) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "# "+roundField+": "); ok {
			now = turn{}
			place, failed := strings.CutSuffix(text, ", failed")
			if _, err := fmt.Sscanf(place, "%d of task %d", &now.round, &now.task); err == nil && now.round > 0 && now.task >= 0 {
				runs[now] = savedRun{failed: failed}
			}
			continue
		}
		if run, ok := runs[now]; ok {
			run.text = append(run.text, line...)
			runs[now] = run
		}
	}
	return runs
}
