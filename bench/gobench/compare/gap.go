package compare

import (
	"fmt"
	"strings"
)

// Gap is something that could not be compared.
type Gap struct {
	Kind      GapKind  `json:"kind"`
	File      string   `json:"file,omitempty"` // where to look, "" if it is in no file
	Line      int      `json:"line,omitempty"`
	Benchmark string   `json:"benchmark,omitempty"` // whose gap it is, "" if it is not that of one
	Message   string   `json:"message"`
	Units     []string `json:"units,omitempty"` // of a benchmark's gap: those that it is a gap in
	Accepted  bool     `json:"accepted"`        // it does not count
}

// GapKind says why something could not be compared.
type GapKind string

const (
	GapMissing GapKind = "missing" // a benchmark is not in the newer column
	GapSamples GapKind = "samples" // fewer than MinSamples samples
	// goos, goarch, cpu or another line that splits tables differs
	GapMachine GapKind = "machine"
	// a line that does not parse, a value that is no number, metadata that contradict
	GapSyntax    GapKind = "syntax"
	GapFailed    GapKind = "failed"    // the run says that a benchmark failed
	GapInexact   GapKind = "inexact"   // samples of an exact unit differ
	GapDirection GapKind = "direction" // a unit has changed of which nobody says what is better
	// with Options.Strict, a change below PlacementChange with fewer than MinRuns process runs a
	// side; accepted, it is judged nevertheless and is no gap
	GapRuns    GapKind = "runs"
	GapUnclear GapKind = "unclear" // too noisy, with Options.Strict
	GapEmpty   GapKind = "empty"   // there is nothing to compare; cannot be accepted
)

// GapKinds lists the kinds that can be accepted.
func GapKinds() []GapKind {
	return []GapKind{GapMissing, GapSamples, GapMachine, GapSyntax, GapFailed, GapInexact, GapDirection, GapRuns, GapUnclear}
}

func kindNames() string {
	var names []string
	for _, k := range GapKinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// maxGaps is how many gaps of a kind are listed one by one: with 50 benchmarks missing in a log
// nobody would find the verdict.
const maxGaps = 3

// maxNames is how many of the other gaps of a kind are named in its line.
const maxNames = 5

// String returns where the gap is and what it is.
func (g Gap) String() string {
	where := ""
	if g.File != "" {
		where = g.where() + ": "
	}
	accepted := ""
	if g.Accepted {
		accepted = " (accepted)"
	}
	units := ""
	if len(g.Units) > 0 {
		units = " (" + strings.Join(g.Units, ", ") + ")"
	}
	return fmt.Sprintf("%s%s: %s%s%s", where, g.Kind, g.Message, units, accepted)
}

// where returns the file with the line, if there is one.
func (g Gap) where() string {
	if g.Line > 0 {
		return fmt.Sprintf("%s:%d", g.File, g.Line)
	}
	return g.File
}

// name is what a list calls the gap.
func (g Gap) name() string {
	switch {
	case g.Benchmark != "":
		return g.Benchmark
	case g.Line > 0 || g.Kind == GapEmpty:
		return g.where()
	}
	return g.Message // of a side that is no file
}

// GapLines returns the gaps for people. Of many gaps of a kind it returns one line with the first
// gap, the number of the others and some names. Gaps has all of them, and so do JSON lines.
func (r *Report) GapLines() []string {
	var kinds []GapKind
	of := map[GapKind][]Gap{}
	for _, g := range r.Gaps {
		if of[g.Kind] == nil {
			kinds = append(kinds, g.Kind)
		}
		of[g.Kind] = append(of[g.Kind], g)
	}
	var lines []string
	for _, kind := range kinds {
		gaps := of[kind]
		// of which all say the same at length
		if len(gaps) > maxGaps || len(gaps) > 1 && kind == GapRuns {
			lines = append(lines, gaps[0].String()+"; and "+others(gaps[1:]))
			continue
		}
		for _, g := range gaps {
			lines = append(lines, g.String())
		}
	}
	return lines
}

// others names the first gaps of a list and counts the rest.
func others(gaps []Gap) string {
	var names []string
	for _, g := range gaps[:min(maxNames, len(gaps))] {
		names = append(names, g.name())
	}
	text := fmt.Sprintf("%d more like it: %s", len(gaps), strings.Join(names, ", "))
	if rest := len(gaps) - len(names); rest > 0 {
		text += fmt.Sprintf(" and %d others", rest)
	}
	return text
}
