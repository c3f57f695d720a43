package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simhashkit/internal/english"
)

// Conclusion says in words what the exit code says, without a full stop.
func (r *Report) Conclusion() string {
	same := english.Count(len(r.Same), "package")
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
	comparisons := english.Count(compared, "comparison")
	missed := english.Count(open, "thing") + " could not be compared"
	switch n := count[Regression]; {
	case n > 0 && open > 0:
		return fmt.Sprintf("%s in %s, and %s", english.Count(n, "regression"), comparisons, missed)
	case n > 0:
		return fmt.Sprintf("%s in %s", english.Count(n, "regression"), comparisons)
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

// Verdict is the conclusion with the name of the largest regression, or else of the noisiest
// unclear row.
func (r *Report) Verdict() string {
	count := r.Count()
	switch {
	case count[Regression] > 0:
		return r.Conclusion() + "; worst: " + r.first(Regression, func(t Table, row Row) float64 { return cost(t, row.Effect) })
	case count[Unclear] > 0 && r.OpenGaps() == 0:
		return r.Conclusion() + "; noisiest: " + r.first(Unclear, func(_ Table, row Row) float64 { return row.Effect.Detectable })
	}
	return r.Conclusion()
}

// cost is by how much a row got worse, on a logarithmic scale: half the rate costs as much as twice
// the time.
func cost(t Table, e Effect) float64 { return -float64(t.Better) * math.Log1p(max(e.Change, -1)) }

// first names the row of a verdict with the highest score: "Parse/size=1k-2 sec/op +8.14%". Of rows
// whose scores differ only by rounding, as those of a time and its rate do, it is the first.
func (r *Report) first(v Verdict, score func(Table, Row) float64) string {
	var table *Table
	var row *Row
	for i := range r.Tables {
		t := &r.Tables[i]
		for j := range t.Rows {
			if t.Rows[j].Verdict == v && (row == nil || score(*t, t.Rows[j]) > (1+1e-9)*score(*table, *row)) {
				table, row = t, &t.Rows[j]
			}
		}
	}
	words := []string{row.Name, table.Unit}
	if v == Regression {
		words = append(words, SignedPercent(row.Effect.Change))
	}
	return strings.Join(append(words, r.whichTable(*table)...), " ")
}

// whichTable names the package and the column of a table, where there are several.
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

// Summary counts the rows of each verdict, and says which change would have shown.
func (r *Report) Summary() string {
	count := r.Count()
	var parts []string
	for _, v := range Verdicts() {
		if n := count[v]; n > 0 {
			parts = append(parts, v.count(n))
		}
	}
	text := "nothing compared"
	if len(parts) > 0 {
		text = strings.Join(parts, ", ")
	}
	if d := r.detectable(); d > 0 {
		which := "in a typical benchmark"
		if count[Regression]+count[Improvement]+count[Changed] > 0 { // which may have changed by less
			which = "in a typical one of the others"
		}
		text += fmt.Sprintf("; %s a change of %s or more would have shown", which, percent(math.Round(d*1000)/1000))
	}
	return text
}

// count says how many rows have the verdict.
func (v Verdict) count(n int) string {
	switch v {
	case Regression, Improvement:
		return english.Count(n, strings.ToLower(string(v)))
	case Small:
		return english.Count(n, "small change")
	case NoChange, TooFew:
		return fmt.Sprintf("%d with %s", n, v)
	}
	return fmt.Sprintf("%d %s", n, v)
}

// detectable is the median of the changes that would have been noticed, over all rows with noise
// and without a change. A change within the threshold is never noticed.
func (r *Report) detectable() float64 {
	var all []float64
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if row.Effect.Noise && !row.Verdict.beyond() {
				all = append(all, max(row.Effect.Detectable, t.Threshold))
			}
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	if d := all[len(all)/2]; !math.IsInf(d, 0) {
		return d
	}
	return 0
}
