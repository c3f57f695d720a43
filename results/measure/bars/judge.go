package main

import (
	"fmt"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/results/measure/evidence"
)

// Verdict is what a bar comes to.
type Verdict uint8

// The verdicts.
const (
	Met         Verdict = iota
	Missed              // the median is beyond the bar
	NotMeasured         // Result.Why says for lack of what
	NotRun              // the run does not have the case
)

// Result is a bar beside its case's figure.
type Result struct {
	Bar     Bar
	Verdict Verdict
	Why     string             // a bar is not measured
	Row     resultfile.Summary // of the case; there is none if it is not run
	Limit   float64            // the bar's value, in the unit of the row, if it was met or missed
	Parts   []float64          // of the limit: the terms without their factors
	Close   bool               // the limit lies within the 95% interval of the figure
}

// Ratio is the figure over the bar. What is met is at most 1 for times, at least 1 for rates.
func (r Result) Ratio() float64 { return r.Row.Median / r.Limit }

// Judge compares the rows of a run with the bars, in the order of the bars.
func Judge(bars []Bar, list []resultfile.Summary, probes Probes) []Result {
	index := evidence.NewIndex(list)
	results := make([]Result, len(bars))
	for i, b := range bars {
		results[i] = judge(b, index, probes)
	}
	return results
}

func judge(b Bar, index evidence.Index, probes Probes) Result {
	r := Result{Bar: b}
	var ok bool
	if r.Row, ok = index.Get(b.Case, b.Line.Unit); !ok {
		r.Verdict = NotRun
		return r
	}
	if r.Row.Err != "" {
		r.Verdict, r.Why = NotMeasured, "the case has no figure"
		return r
	}
	for _, t := range b.terms {
		value, why := t.value(index, probes, b.Line.AtLeast())
		if why != "" {
			r.Verdict, r.Why = NotMeasured, why
			return r
		}
		r.Limit += t.factor * value
		r.Parts = append(r.Parts, value)
	}
	s := r.Row.Figure
	r.Close = !b.Line.Counted && s.Lo <= r.Limit && r.Limit <= s.Hi
	if b.Line.AtLeast() && s.Median < r.Limit || !b.Line.AtLeast() && s.Median > r.Limit {
		r.Verdict = Missed
	}
	return r
}

// value returns what the factor multiplies, or why it is not known.
func (t term) value(index evidence.Index, probes Probes, rate bool) (value float64, why string) {
	switch {
	case t.probe != "":
		p, ok := probes.rows[t.probe]
		if !ok {
			return 0, "no probe " + t.probe
		}
		if p.rate != rate {
			return 0, fmt.Sprintf("probe %s is of another unit", t.probe)
		}
		return p.median(), ""
	case t.of != nil:
		row, ok := atTier(index, *t.of, t.unit)
		if !ok || row.Err != "" {
			return 0, fmt.Sprintf("no figure of %s", t.of)
		}
		return row.Median, ""
	}
	return 1, ""
}
