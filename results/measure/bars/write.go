package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/terms"
	"simhashkit/internal/texttable"
)

// Write writes the results as tables, one for each line of the bars file, and what they come to at
// the end. It returns how many results there are of each verdict.
func Write(w io.Writer, results []Result) (count map[Verdict]int, err error) {
	var out strings.Builder
	out.WriteString("Bars\n\n")
	count = map[Verdict]int{}
	for from := 0; from < len(results); {
		to := from
		for to < len(results) && results[to].Bar.Line == results[from].Bar.Line {
			count[results[to].Verdict]++
			to++
		}
		writeLine(&out, results[from:to])
		from = to
	}
	for _, r := range results {
		if r.Verdict == Missed {
			fmt.Fprintf(&out, "MISSED  %s: %s %s, bar %s\n", r.Bar.Case, shown(r, r.Row.Median), shownUnit(r.Bar.Line), shown(r, r.Limit))
		}
	}
	fmt.Fprintf(&out, "%d bars: %d met, %d missed, %d not measured, %d of cases that are not in this run\n",
		len(results), count[Met], count[Missed], count[NotMeasured], count[NotRun])
	if _, err := io.WriteString(w, out.String()); err != nil {
		return nil, fmt.Errorf("bars: %w", err)
	}
	return count, nil
}

// writeLine writes the results of one line of the file: what it asks for, then the cases by the
// keys that differ.
func writeLine(out *strings.Builder, results []Result) {
	line := results[0].Bar.Line
	fmt.Fprintf(out, "%s:%d  %s\n\n", line.File, line.Number, line.Text)
	var header []string
	for _, k := range line.Pattern.Keys {
		if strings.Contains(k.Value, "{") {
			header = append(header, k.Key)
		}
	}
	keys := len(header)
	header = append(header, shownUnit(line), "±", "bar", "from", "figure/bar", "")
	t := texttable.Aligned(leftAligned(results, header, keys), header...)
	t.SuppressEmptyColumns() // no bar may be made of others
	absent := 0
	for _, r := range results {
		if r.Verdict == NotRun {
			absent++
			continue
		}
		var row texttable.Row
		for _, key := range header[:keys] {
			row = append(row, r.Bar.Case.Get(key))
		}
		t.AppendRow(append(row, cells(r)...))
	}
	if t.Length() > 0 {
		fmt.Fprintf(out, "%s\n", texttable.Render(t))
	}
	if absent > 0 {
		fmt.Fprintf(out, "  not in this run: %d of %d cases\n", absent, len(results))
	}
	out.WriteString("\n")
}

// leftAligned returns the columns of words: keys whose values are not all numbers, of what a bar is
// made, and the verdict.
func leftAligned(results []Result, header []string, keys int) []int {
	var columns []int
	for i, key := range header[:keys] {
		if slices.ContainsFunc(results, func(r Result) bool { _, err := strconv.Atoi(r.Bar.Case.Get(key)); return err != nil }) {
			columns = append(columns, i)
		}
	}
	return append(columns, keys+3, len(header)-1)
}

// cells returns the cells of a case that has run, after its keys.
func cells(r Result) texttable.Row {
	figure, interval := "", ""
	if r.Row.Err == "" {
		figure, interval = shown(r, r.Row.Median), r.Row.PlusMinus()
	}
	if r.Bar.Line.Counted {
		interval = ""
	}
	if r.Verdict == NotMeasured {
		return texttable.Row{figure, interval, "", "", "", "not measured: " + r.Why}
	}
	verdict := "ok"
	if r.Verdict == Missed {
		verdict = "MISSED"
	}
	if r.Close {
		verdict += " ?"
	}
	return texttable.Row{figure, interval, shown(r, r.Limit), made(r), fmt.Sprintf("%.3f", r.Ratio()), verdict}
}

// made says of what figures the bar is made, "1.1 x 0.247 + 0.080"; "" if it is a figure itself.
func made(r Result) string {
	var parts []string
	for i, t := range r.Bar.terms {
		switch {
		case t.probe == "" && t.of == nil:
			parts = append(parts, shown(r, t.factor))
		case t.factor == 1:
			parts = append(parts, shown(r, r.Parts[i]))
		default:
			parts = append(parts, fmt.Sprintf("%.4g x %s", t.factor, shown(r, r.Parts[i])))
		}
	}
	if len(parts) == 1 && !strings.Contains(parts[0], "x") {
		return ""
	}
	return strings.Join(parts, " + ")
}

// Rates are shown in GB/s and times of whole builds and joins in milliseconds, as in all tables.

func shownUnit(l *Line) string {
	switch l.Unit {
	case terms.MegabytesPerSecond:
		return gigabytesPerSecond
	case terms.NanosecondsPerOperation:
		return millisecondsPerOperation
	}
	return l.Unit
}

func shown(r Result, value float64) string {
	switch r.Bar.Line.Unit {
	case terms.MegabytesPerSecond:
		value /= 1e3
	case terms.NanosecondsPerOperation:
		value /= 1e6
	}
	return fmt.Sprintf("%.3f", value)
}
