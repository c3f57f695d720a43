package advice

import (
	"fmt"
	"math"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/english"
)

// Use returns a sentence that says which choice to use, without a full stop.
func (r *Recommendation) Use() string {
	switch {
	case r.Verdict() == terms.Weak && len(r.Choices) == 1:
		return r.Choices[0].String() + " is weak on " + r.vectors()
	case r.Verdict() == terms.Weak:
		return fmt.Sprintf("All %d combinations of hash and encoding are weak on %s", len(r.Choices), r.vectors())
	case r.Best == nil:
		return "No hash is known to be good on " + r.vectors()
	case r.Why == CannotTell:
		return "Keep the default, " + r.Best.String()
	}
	return "Use " + r.Best.String()
}

// Lead returns the recommendation, with its time and the number of good choices.
func (r *Recommendation) Lead() string {
	if r.Best == nil {
		return r.Use() + "."
	}
	costs := ", which was not timed in this run"
	if t, ok := r.Times.Get(r.Best); ok {
		what := "hashing alone"
		if r.Times.Sketches {
			what = "a whole sketch"
		}
		costs = fmt.Sprintf(": %.2f ns per feature of %s (kernel %s)", t.Median, what, t.Row.Name.Get("kernel"))
	}
	words := r.Use() + costs + "."
	if good := len(r.Ranked); r.Why != CannotTell {
		words += fmt.Sprintf(" %d of the %d combinations %s good on %s.", good, len(r.Choices), english.Plural(good, "is", "are"), r.vectors())
	}
	return words
}

// Details returns the worst case of the best choice, followed by Reasons.
func (r *Recommendation) Details() (list []string) {
	if best := r.Best; best != nil && r.Why != CannotTell {
		if worst, ok := best.Fewest(); ok {
			list = append(list, fmt.Sprintf("At worst it is worth %s.", best.why(worst)))
		}
	}
	return append(list, r.Reasons()...)
}

// Reasons returns the sentences of Brief, and lists of the other choices.
func (r *Recommendation) Reasons() []string {
	list := r.Brief()
	if len(r.Weak) > 0 {
		list = append(list, fmt.Sprintf("Weak, do not use: %s.", Names(r.Weak)))
	}
	if n := len(r.Undecided); n >= manyAlike && 2*n > len(r.Choices) {
		list = append(list, fmt.Sprintf("Undecided: %d of the %d combinations.", n, len(r.Choices)))
	} else if n > 0 {
		list = append(list, fmt.Sprintf("Undecided: %s.", Names(r.Undecided)))
	}
	return list
}

// Brief returns sentences on why the best choice is recommended, and on choices that are good only
// in part.
func (r *Recommendation) Brief() (list []string) {
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if r.Best != nil {
		if reason := r.reason(); reason != "" {
			list = append(list, reason)
		}
		if r.Best != r.Default && r.Default != nil {
			say("Fingerprints of two hashes cannot be compared: recompute all fingerprints.")
		}
	}
	if len(r.Good) > 0 && len(r.Fewer) > 0 {
		say("Good, but judged in fewer cases: %s.", Names(r.Fewer))
	}
	if len(r.HereOnly) > 0 {
		say("Good on these vectors but weak on other indices: %s.", Names(r.HereOnly))
	}
	return list
}

func (r *Recommendation) vectors() string {
	if r.Data != "" {
		return "these vectors"
	}
	return fmt.Sprintf("the indices and weights measured (%d %s)", r.Usual, english.Plural(r.Usual, "kind", "kinds"))
}

// reason returns why the best choice is recommended instead of the default, or why the default is
// kept.
func (r *Recommendation) reason() string {
	byDefault := r.Default
	cost := func(c *Choice) string {
		if ns := r.Times.median(c); !math.IsInf(ns, 0) {
			return fmt.Sprintf(" (%.2f ns)", ns)
		}
		return ""
	}
	switch r.Why {
	case CannotTell:
		return fmt.Sprintf("It is undecided, and no other hash is surely better, so %s cannot rank the hashes: %s.", r.vectors(), byDefault.why(byDefault.Worst()))
	case NothingCheaper:
		if r.Sketch != terms.SimHash {
			return "It is the default, and a sketch takes much longer than its hashes."
		}
		if _, timed := r.Times.Get(r.Best); !timed {
			return "It is the default, and without times no other good hash can replace it."
		}
		return fmt.Sprintf("It is the default, and no other good hash is clearly cheaper (by %.0f%% or more).", 100*cheaperBy)
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

// saved formats a share with its interval, if it has one, as in "40 to 52%".
func saved(f resultfile.Figure) string {
	if math.IsInf(f.Hi, 0) || f.Lo <= 0 {
		return fmt.Sprintf("about %.0f%%", 100*f.Median)
	}
	if low, high := math.Round(100*f.Lo), math.Round(100*f.Hi); low < high {
		return fmt.Sprintf("%.0f to %.0f%%", low, high)
	}
	return fmt.Sprintf("%.0f%%", 100*f.Median)
}

// Words returns the verdict on a hash, the reason, and the number of cases.
func (c *Choice) Words() string {
	worst := c.why(c.Worst())
	if len(c.Cases) == 1 {
		return fmt.Sprintf("%s: %s", c.Verdict(), worst)
	}
	n := map[terms.Judgement]int{}
	for _, k := range c.Cases {
		n[k.Verdict]++
	}
	words := fmt.Sprintf("%s in %d of %d cases; the worst: %s", c.Verdict(), n[c.Verdict()], len(c.Cases), worst)
	if open := n[terms.Undecided]; c.Verdict() == terms.Weak && open > 0 {
		words += fmt.Sprintf("; undecided in %d", open)
	}
	return words
}

// manyAlike is the number of choices with the same reason from which on they share a line.
const manyAlike = 3

// Faults returns a line with the reason for the verdict on each choice. Several choices with the
// same reason share a line.
func Faults(choices []*Choice) (lines []string) {
	reason := func(c *Choice) string {
		w := c.Worst()
		return fmt.Sprintf("%d %s %s", w.Verdict, w.Why(), Name(w.Row))
	}
	for _, group := range GroupBy(choices, reason) {
		if len(group) >= manyAlike {
			w := group[0].Worst()
			lines = append(lines, w.Why()+" on keys of "+w.Vectors("")+": "+Names(group))
			continue
		}
		for _, c := range group {
			lines = append(lines, c.Hash+": "+c.why(c.Worst()))
		}
	}
	return lines
}

// why returns the reason for a verdict, as in "8.5 of 64 bits on big-endian keys of dense indices,
// unit weights".
func (c *Choice) why(k Case) string { return k.Why() + " on " + k.Vectors(c.Encoding) }

// Names lists choices grouped by hash: "xxh64 le64/be64/dec, crc32c le64 at 32 bits".
func Names(choices []*Choice) string {
	var list []string
	for _, group := range GroupBy(choices, func(c *Choice) string { return c.Hash + c.Width() }) {
		var encodings []string
		for _, c := range group {
			encodings = append(encodings, c.Encoding)
		}
		list = append(list, group[0].Hash+" "+strings.Join(encodings, "/")+group[0].Width())
	}
	return strings.Join(list, ", ")
}
