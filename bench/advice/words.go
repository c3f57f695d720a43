package advice

import (
	"fmt"
	"math"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/english"
)

// Lead says which choice to use on a machine, and what it costs.
func (r *Recommendation) Lead(on Ranking) string {
	if on.Best == nil {
		return fmt.Sprintf("None of the %d combinations of hash and encoding is good on %s.", len(r.Choices), r.vectors())
	}
	costs := ", which was not timed in this run"
	if t, ok := on.Times.Get(on.Best); ok {
		what := "hashing alone"
		if on.Times.Sketches {
			what = "a whole sketch"
		}
		costs = fmt.Sprintf(": %.2f ns per feature of %s (kernel %s)", t.Median, what, t.Row.Name.Get("kernel"))
	}
	if on.Why == CannotTell {
		return fmt.Sprintf("Keep the default, %s%s: %s do not tell the hashes apart. It is undecided, and none of the %d others is surely better: %s.",
			on.Best, costs, r.vectors(), len(r.Choices)-1, on.Best.why(on.Best.Worst()))
	}
	good := len(on.Good)
	return fmt.Sprintf("Use %s%s. %d of the %d combinations %s good on %s.", on.Best, costs, good, len(r.Choices), english.Plural(good, "is", "are"), r.vectors())
}

// Details say why, and what to think of the other choices, a sentence or two each.
func (r *Recommendation) Details(on Ranking) (list []string) {
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if best := on.Best; best != nil && on.Why != CannotTell {
		if worst, ok := best.Fewest(); ok {
			say("At worst it is worth %s.", best.why(worst))
		}
		if reason := on.Reason(r.Default); reason != "" {
			list = append(list, reason)
		}
		if best != r.Default && r.Default != nil {
			say("Fingerprints of two hashes cannot be compared: all have to be made anew.")
		}
	}
	if len(r.Good) > 0 && len(r.Fewer) > 0 {
		say("Good, but judged in fewer cases: %s.", Names(r.Fewer))
	}
	if len(r.HereOnly) > 0 {
		say("Good on these vectors but weak on other indices, so only for these: %s.", Names(r.HereOnly))
	}
	if len(r.Weak) > 0 {
		say("Weak, do not use: %s.", Names(r.Weak))
	}
	if len(r.Undecided) > 0 {
		say("Undecided: %s.", Names(r.Undecided))
	}
	return list
}

// vectors says what the hashes were judged on.
func (r *Recommendation) vectors() string {
	if r.Data != "" {
		return "these vectors"
	}
	return fmt.Sprintf("the indices and weights measured (%d %s)", r.Usual, english.Plural(r.Usual, "kind", "kinds"))
}

// Reason says in a sentence why the best is recommended and not the default, or the default and not
// another.
func (r Ranking) Reason(byDefault *Choice) string {
	cost := func(c *Choice) string {
		t, ok := r.Times.Get(c)
		if !ok {
			return ""
		}
		return fmt.Sprintf(" (%.2f ns)", t.Median)
	}
	switch r.Why {
	case NothingCheaper:
		return fmt.Sprintf("It is the default, and no other good one is clearly cheaper, by %.0f%% and more.", 100*ClearlyLess)
	case ClearlyCheaper:
		return fmt.Sprintf("It is clearly cheaper than the default, %s%s: changing saves %s of the time.", byDefault, cost(byDefault), saved(*r.Saves))
	case DefaultFails:
		worst := byDefault.Worst()
		if byDefault.Elsewhere != nil {
			worst = *byDefault.Elsewhere
		}
		return fmt.Sprintf("The default, %s%s, is %s on %s: %s.", byDefault, cost(byDefault), worst.Verdict, worst.Vectors(byDefault.Encoding), worst.Why())
	}
	return ""
}

// saved writes a part with its interval, if it has one: "40 to 52%".
func saved(f resultfile.Figure) string {
	if math.IsInf(f.Hi, 0) || f.Lo <= 0 {
		return fmt.Sprintf("about %.0f%%", 100*f.Median)
	}
	if low, high := math.Round(100*f.Lo), math.Round(100*f.Hi); low < high {
		return fmt.Sprintf("%.0f to %.0f%%", low, high)
	}
	return fmt.Sprintf("%.0f%%", 100*f.Median)
}
