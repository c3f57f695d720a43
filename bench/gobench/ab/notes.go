package ab

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"simhashkit/bench/gobench/ab/paired"
	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/english"
)

// notes says how the figures were made, and where they do not suffice.
func (e *engine) notes(r *compare.Report) {
	rounds, most, decided := math.MaxInt, 0, 0
	for _, j := range e.jobs {
		rounds, most = min(rounds, j.rounds), max(most, j.rounds)
	}
	for _, h := range e.hypotheses {
		if h.decided() {
			decided++
		}
	}
	text := plural(most, "round")
	if rounds < most {
		text = fmt.Sprintf("%d to %s", rounds, text)
	}
	if len(e.jobs) > 1 {
		text += fmt.Sprintf(" of %d tasks", len(e.jobs))
	}
	text += fmt.Sprintf(" in %s of at most %s, in an order drawn by seed %d", e.elapsed.Round(time.Second/10), roundedBudget(e.budget), e.Seed)
	if !e.Control && len(e.hypotheses) > 0 {
		text += fmt.Sprintf("; %d of %s %s decided early", decided, plural(len(e.hypotheses), "comparison"), english.Plural(decided, "was", "were"))
	}
	r.Notes = append(r.Notes, text)
	if !e.Control {
		noteUnclear(r)
	}
	for _, h := range e.hypotheses {
		if h.Means {
			r.Notes = append(r.Notes, fmt.Sprintf("%s %s is judged by the mean of all samples: most of them do not differ so much, so it comes from what happens only now and then", h.Benchmark, h.Unit))
		}
	}
	e.tooFew(r)
	e.noteUntested(r)
}

// roundedBudget keeps what is less than a second as it was asked for.
func roundedBudget(budget time.Duration) time.Duration {
	if budget < time.Second {
		return budget
	}
	return budget.Round(time.Second / 10)
}

// noteUnclear says what would have been noticed where nothing was. What is significant counts only
// beyond the threshold.
func noteUnclear(r *compare.Report) {
	type unclear struct {
		name       string
		noticeable float64
	}
	var all []unclear
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if row.Verdict == compare.Unclear && !math.IsInf(row.Effect.Detectable, 0) {
				all = append(all, unclear{fmt.Sprintf("%s %s", row.Name, t.Unit), max(row.Effect.Detectable, t.Threshold)})
			}
		}
	}
	if len(all) == 0 {
		return
	}
	slices.SortFunc(all, func(a, b unclear) int {
		return cmp.Or(cmp.Compare(a.noticeable, b.noticeable), cmp.Compare(a.name, b.name))
	})
	first, last := all[0], all[len(all)-1]
	text := fmt.Sprintf("%s: too noisy to tell, but a change of %.1f%% or more would probably have shown", last.name, 100*last.noticeable)
	if len(all) > 1 {
		text = fmt.Sprintf("%d are too noisy to tell, but changes would probably have shown from %.1f%% on in %s, to %.1f%% in %s", len(all), 100*first.noticeable, first.name, 100*last.noticeable, last.name)
	}
	r.Notes = append(r.Notes, text)
}

// tooFew makes a gap of every comparison that had no chance to be significant.
func (e *engine) tooFew(r *compare.Report) {
	for _, h := range e.hypotheses {
		if h.test == nil || h.Decided || h.strict() || h.same && (h.settled() || h.samples < compare.MinSamples) {
			continue
		}
		if n := h.test.Rounds(); n < paired.MinRounds || math.IsInf(h.Finding.Detectable, 1) {
			e.gap(r, h.at, fmt.Sprintf("%s has had %s, too few to find any change; a larger --budget or shorter runs give more", h.Benchmark, plural(n, "round")))
		}
	}
}

// gap adds one of samples.
func (e *engine) gap(r *compare.Report, at place, message string) {
	r.Gaps = append(r.Gaps, compare.Gap{Kind: compare.GapSamples, Benchmark: at.row, Units: []string{at.unit}, Accepted: slices.Contains(e.Accept, compare.GapSamples), Message: message})
}

// plural returns "1 round" or "2 rounds".
func plural(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, english.Plural(n, noun, noun+"s"))
}
