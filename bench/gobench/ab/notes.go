package ab

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/english"
)

// note says how the figures were made.
func (e *engine) note() string {
	least, most := math.MaxInt, 0
	for _, j := range e.jobs {
		least, most = min(least, j.rounds), max(most, j.rounds)
	}
	text := english.Count(most, "round")
	if least < most {
		text = fmt.Sprintf("%d to %s", least, text)
	}
	if len(e.jobs) > 1 {
		text += fmt.Sprintf(" of %d tasks", len(e.jobs))
	}
	text += fmt.Sprintf(" in %s of at most %s, in an order drawn by seed %d", e.elapsed.Round(time.Second/10), roundedBudget(e.budget), e.Seed)
	if comparisons := len(e.judge.hypotheses); !e.Control && comparisons > 0 {
		decided := e.judge.decided()
		text += fmt.Sprintf("; %d of %s %s decided early", decided, english.Count(comparisons, "comparison"), english.Plural(decided, "was", "were"))
	}
	return text
}

// notes says where the rounds do not suffice, and what was judged by something else than usual.
func (j *judge) notes(r *compare.Report) {
	if !j.Control {
		noteUnclear(r)
	}
	for _, h := range j.hypotheses {
		if h.Means {
			r.Notes = append(r.Notes, fmt.Sprintf("%s %s is judged by the mean of all samples: most of them do not differ so much, so it comes from what happens only now and then", h.Benchmark, h.Unit))
		}
	}
	j.tooFew(r)
	j.noteUntested(r)
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
