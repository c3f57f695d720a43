package main

import (
	"simhashkit/bench/gobench/benchname"
	"simhashkit/results/measure/evidence"
)

// Bar is what a line of a bars file asks of one case.
type Bar struct {
	Case benchname.Name
	Line *Line

	terms []term // their sum is the bar
}

// Line is a line of a bars file.
type Line struct {
	File    string
	Number  int            // from 1
	Text    string         // without comment and with single spaces
	Pattern benchname.Name // the case as it is written, alternatives in braces
	Unit    string         // of the cases' figures
	Counted bool           // which are exact then, and not the cases' times or rates
}

// AtLeast reports whether figures must not be below the bar, rather than above it.
func (l *Line) AtLeast() bool { return evidence.Better(l.Unit) > 0 }

// term is a figure, or a factor and what it multiplies.
type term struct {
	// the figure itself in the unit of the bar's case, where there is neither case nor probe
	factor float64
	of     *benchname.Name // a case of the same run
	unit   string          // of that case
	probe  string          // a probe
}
