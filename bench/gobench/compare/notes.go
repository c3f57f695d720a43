package compare

import (
	"fmt"
	"math"
	"slices"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/english"
)

// notes adds the notes of the report.
func (b *builder) notes(inputs []Input, documents []*resultfile.Document) {
	b.noteHeads(inputs, documents)
	b.noteRuns()
	b.noteShift()
	b.noteMixed()
}

func (b *builder) notef(format string, arguments ...any) {
	b.report.Notes = append(b.report.Notes, fmt.Sprintf(format, arguments...))
}

// noteHeads reports conditions in which the files differ, such as the version of Go.
func (b *builder) noteHeads(inputs []Input, documents []*resultfile.Document) {
	for _, name := range []string{"go", "kernels", "tier", "data"} {
		old := documents[0].Value(name)
		for i, in := range inputs[1:] {
			if new := documents[i+1].Value(name); old != "" && new != "" && old != new {
				b.notef("%s is %q in %s, but %q in %s", name, old, inputs[0].Label, new, in.Label)
			}
		}
	}
}

// noteRuns warns of comparisons that rest on few process runs, unless gaps do.
func (b *builder) noteRuns() {
	if slices.ContainsFunc(b.report.Gaps, func(g Gap) bool { return g.Kind == GapRuns }) {
		return
	}
	rows, few, withheld := 0, 0, 0
	b.compared(func(t Table, r *Row) {
		if !r.Effect.Noise || r.judged {
			return
		}
		rows++
		if min(r.Old.Runs, r.New.Runs) < MinRuns {
			few++
		}
		if r.Withheld != "" {
			withheld++
		}
	})
	if few == 0 {
		return
	}
	text := fmt.Sprintf("%d of %s %s on fewer than %d runs a side. Recordings of equal code differ by up to 50%% here.",
		few, english.Count(rows, "comparison"), english.Plural(few, "rests", "rest"), MinRuns)
	if withheld > 0 {
		text += fmt.Sprintf(" So %s that would be significant %s unclear.", english.Count(withheld, "change"), english.Plural(withheld, "is", "are"))
	}
	b.notef("%s Append several runs to each file, or use fphash ab.", text)
}

// noteShift reports that nearly all rows have moved the same way, as another clock frequency or a
// busy neighbour makes them.
func (b *builder) noteShift() {
	var costs []float64 // by how much each row got worse
	b.compared(func(t Table, r *Row) {
		if r.Effect.Noise && !r.judged && t.Better != 0 && !math.IsInf(r.Effect.Change, 0) {
			cost := math.Log1p(max(r.Effect.Change, -0.999))
			costs = append(costs, cost*-float64(t.Better))
		}
	})
	if len(costs) < 10 {
		return
	}
	slices.Sort(costs)
	n := len(costs)
	lo, middle, hi := costs[n/10], costs[n/2], costs[n-1-n/10]
	if math.Abs(middle) < 0.01 || (lo < 0) != (hi < 0) {
		return
	}
	b.notef("nearly all of the %d comparisons with noise have moved the same way, by %s in the middle: so they do where the clock is faster or slower, a neighbour is busy, or the compiler is another one",
		n, SignedPercent(math.Expm1(middle)))
}

// noteMixed reports projections that put different benchmarks into one row.
func (b *builder) noteMixed() {
	said := map[string]bool{}
	for _, t := range b.report.Tables {
		for _, r := range t.Rows {
			for _, s := range []Side{r.Old, r.New} {
				if s.series == nil {
					continue
				}
				if mixed := s.series.mixed(); mixed != "" && !said[mixed] {
					said[mixed] = true
					b.notef("%s throws results together that differ in %s", r.Name, mixed)
				}
			}
		}
	}
}
