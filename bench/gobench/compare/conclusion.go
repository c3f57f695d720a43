package compare

import (
	"fmt"
	"math"
	"strings"

	"simhashkit/internal/english"
)

// Conclusion says in words what the exit code is to say, without a full stop.
func (r *Report) Conclusion() string {
	same := plural(len(r.Same), "package")
	switch {
	case len(r.Same) == 0:
		return r.conclusion()
	case len(r.Tables) == 0 && r.OpenGaps() == 0:
		return fmt.Sprintf("nothing to measure: both sides build the same test %s of %s", english.Plural(len(r.Same), "binary", "binaries"), same)
	}
	return fmt.Sprintf("%s; %s not measured, with the same test binary on both sides", r.conclusion(), same)
}

func (r *Report) conclusion() string {
	count, compared, open := r.Count(), 0, r.OpenGaps()
	for verdict, n := range count {
		if verdict.Compared() {
			compared += n
		}
	}
	comparisons := plural(compared, "comparison")
	missed := plural(open, "thing") + " could not be compared"
	switch n := count[Regression]; {
	case n > 0 && open > 0:
		return fmt.Sprintf("%s in %s, and %s", plural(n, "regression"), comparisons, missed)
	case n > 0:
		return fmt.Sprintf("%s in %s", plural(n, "regression"), comparisons)
	case open > 0 && compared == 0:
		return "nothing could be compared"
	case open > 0:
		return fmt.Sprintf("no regression in %s, but %s and may hide one", comparisons, missed)
	case compared == 0:
		return "nothing was compared"
	case count[Unclear] == compared:
		return fmt.Sprintf("nothing can be told: %s too noisy", english.Plural(compared, "the only comparison is", fmt.Sprintf("all %d comparisons are", compared)))
	case count[Unclear] > 0:
		return fmt.Sprintf("no regression in %s, but %d %s too noisy to tell", comparisons, count[Unclear], english.Plural(count[Unclear], "is", "are"))
	}
	return "no regression in " + comparisons
}

// Verdict is the conclusion with the name of the worst benchmark, of regressions the largest, else
// the noisiest of those that are too noisy to tell; and with what makes the results worth little.
func (r *Report) Verdict() string { return r.named() + r.doubt() }

func (r *Report) named() string {
	count := r.Count()
	switch {
	case count[Regression] > 0:
		return r.Conclusion() + "; worst: " + r.first(Regression, func(t Table, row Row) float64 { return cost(t, row.Effect) })
	case count[Unclear] > 0 && r.OpenGaps() == 0:
		return r.Conclusion() + "; noisiest: " + r.first(Unclear, func(_ Table, row Row) float64 { return row.Effect.Detectable })
	}
	return r.Conclusion()
}

// cost is by how much a row got worse, such that half as much of what is to be high is as bad as
// twice as much of what is to be low.
func cost(t Table, e Effect) float64 { return -float64(t.Better) * math.Log1p(max(e.Change, -1)) }

// first names the row of a verdict that has most of something: "Parse/size=1k-2 sec/op +8.14%".
func (r *Report) first(v Verdict, most func(Table, Row) float64) string {
	var table *Table
	var row *Row
	for i := range r.Tables {
		t := &r.Tables[i]
		for j := range t.Rows {
			if t.Rows[j].Verdict == v && (row == nil || most(*t, t.Rows[j]) > most(*table, *row)) {
				table, row = t, &t.Rows[j]
			}
		}
	}
	words := []string{row.Name, table.Unit}
	if v == Regression {
		words = append(words, signedPercent(row.Effect.Change))
	}
	return strings.Join(append(words, r.whichTable(*table)...), " ")
}

// whichTable says in which package and column a row is, where there are several.
func (r *Report) whichTable(table Table) (words []string) {
	packageOf := func(t Table) string {
		for _, f := range t.Config {
			if f.Name == "pkg" {
				return f.Value
			}
		}
		return ""
	}
	packages, columns := map[string]bool{}, map[string]bool{}
	for _, t := range r.Tables {
		packages[packageOf(t)], columns[t.New] = true, true
	}
	if len(packages) > 1 && packageOf(table) != "" {
		words = append(words, "of "+packageOf(table))
	}
	if len(columns) > 1 {
		words = append(words, "in "+table.New)
	}
	return words
}
