package ab

import (
	"fmt"
	"slices"
	"time"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/english"
)

// roundsOf says how many rounds the tasks had: "7 to 12 rounds of 3 tasks".
func roundsOf(tasks []int) string {
	least, most := slices.Min(tasks), slices.Max(tasks)
	text := english.Count(most, "round")
	if least < most {
		text = fmt.Sprintf("%d to %s", least, text)
	}
	if len(tasks) > 1 {
		text += fmt.Sprintf(" of %d tasks", len(tasks))
	}
	return text
}

// note says how the figures were made.
func (e *engine) note() string {
	var rounds []int
	for _, j := range e.jobs {
		rounds = append(rounds, j.rounds)
	}
	text := roundsOf(rounds)
	text += fmt.Sprintf(" in %s of at most %s, in an order drawn by seed %d", e.elapsed.Round(time.Second/10), roundedBudget(e.budget), e.Seed)
	if comparisons := len(e.judge.hypotheses); !e.Control && comparisons > 0 {
		decided := e.judge.decided()
		text += fmt.Sprintf("; %d of %s %s decided early", decided, english.Count(comparisons, "comparison"), english.Plural(decided, "was", "were"))
	}
	return text
}

// roundedBudget keeps what is less than a second as it was asked for.
func roundedBudget(budget time.Duration) time.Duration {
	if budget < time.Second {
		return budget
	}
	return budget.Round(time.Second / 10)
}

// notes says where the rounds do not suffice, and what was judged by something else than usual.
func (j *judge) notes(r *compare.Report) {
	for _, h := range j.hypotheses {
		if h.Means {
			r.Notes = append(r.Notes, fmt.Sprintf("%s %s is judged by the mean of all samples, since the better quartile differs less: perhaps only some of the calls are slower", h.Benchmark, h.Unit))
		}
	}
	j.tooFew(r)
	j.noteUntested(r)
}
