package ab

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"simhashkit/bench/gobench/ab/paired"
	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/english"
)

// tooFew reports as gaps the comparisons that had no chance to be significant.
func (j *judge) tooFew(r *compare.Report) {
	for _, h := range j.hypotheses {
		if h.test == nil || h.Decided || h.counted() || h.same && (h.settled() || h.samples < compare.MinSamples) {
			continue
		}
		if n := h.test.Rounds(); n < paired.MinRounds || math.IsInf(h.Finding.Detectable, 1) {
			j.gap(r, h.at, fmt.Sprintf("%s has had %s, too few to find any change; a larger --budget or shorter runs give more", h.Benchmark, english.Count(n, "round")))
		}
	}
}

// gap adds a gap for want of samples.
func (j *judge) gap(r *compare.Report, at place, message string) {
	r.Gaps = append(r.Gaps, compare.Gap{Kind: compare.GapSamples, Benchmark: at.row, Units: []string{at.unit}, Accepted: slices.Contains(j.Accept, compare.GapSamples), Message: message})
}

// noteUntested reports as gaps what has no verdict.
func (j *judge) noteUntested(r *compare.Report) {
	for _, u := range j.untested {
		if u.several {
			j.gap(r, u.at, fmt.Sprintf("%s stands for several benchmarks, which were run one by one and whose rounds do not belong together; --ignore has made them one", u.at.row))
		} else {
			j.gap(r, u.at, fmt.Sprintf("%s has no figures of both sides in the first round, and only what that has is tested", u.at.row))
		}
	}
}

// locate drops the line numbers of gaps, since nobody has the output of a side as a file. A failure
// and a line that does not parse name their side, and the line is quoted; other gaps name sides in
// their message.
func (e *engine) locate(r *compare.Report) {
	for i := range r.Gaps {
		g := &r.Gaps[i]
		switch g.Kind {
		case compare.GapSyntax:
			if text := e.lineOf(g.File, g.Line); text != "" {
				g.Message += fmt.Sprintf(": %q", text)
				name, _, _ := strings.Cut(text, " ")
				g.Benchmark = strings.TrimPrefix(name, "Benchmark")
			}
		case compare.GapFailed, compare.GapEmpty:
		default:
			g.File = ""
		}
		g.Line = 0
	}
}

// lineOf returns a line of what a side has printed, by the side's label.
func (e *engine) lineOf(label string, number int) string {
	for _, s := range []*output{&e.old, &e.new} {
		if s.label != label {
			continue
		}
		for line := range bytes.Lines(s.text.Bytes()) {
			if number--; number == 0 {
				return strings.TrimSpace(string(line))
			}
		}
	}
	return ""
}
