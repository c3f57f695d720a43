package table

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"sync"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/texttable"
)

const hashesTitle = `Hashes  quality and cost: good hashes first, cheapest at the top

  ns: per feature, with the fastest kernel; %s.
  bits: effective bits, over all angles and at cosine 0.9 and above, with 95%% intervals, in the worst of the cells
  (pattern of indices, weights). A dash: not measured.
  SMHasher3: failed tests of all tests, as SMHasher3 reports them for byte strings of any length
  (gitlab.com/fwojcik/smhasher3, 2025-11-12).`

// renderHashes returns a table with the quality and cost of each hash, or "" if there are no cells.
func renderHashes(set *advice.Set) string {
	choices := advice.Choices(set, func(advice.Case) bool { return true })
	if len(choices) == 0 {
		return ""
	}
	times := advice.TimesOf(set.Machines()[0], choices, "") // a run has one machine
	choices = times.Sorted(choices)
	t := texttable.Aligned([]int{0, 1, 5, 7, 8, 11}, "hash", "encoding", "f", "ns", "bits", "95%", "cos ≥ .9", "95%", "worst case", "cells", "SMHasher3", "verdict")
	var bad []*advice.Choice
	for _, c := range choices {
		w := c.Worst()
		cost := "–"
		if time, ok := times.Get(c); ok {
			cost = fmt.Sprintf("%.2f", time.Median)
		}
		row := texttable.Row{c.Hash, c.Encoding, c.Bits, cost}
		for _, band := range []*resultfile.Figure{w.All, w.Cos90} {
			if band == nil {
				row = append(row, "–", "")
				continue
			}
			within := ""
			if advice.Bounded(*band) {
				within = terms.Bits(band.Lo) + "-" + terms.Bits(band.Hi)
			}
			row = append(row, terms.Bits(band.Median), within)
		}
		name := w.Row.Name
		t.AppendRow(append(row, name.Get("pattern")+", "+name.Get("weights"), len(c.Cases), cmp.Or(smhasher3()[c.Hash], "–"), c.Verdict()))
		if c.Verdict() != terms.Good {
			bad = append(bad, c)
		}
	}
	out := fmt.Sprintf(hashesTitle, cmp.Or(times.Of, "not timed")) + "\n\n" + t.Render()
	if len(bad) > 0 {
		out += "\n\nDefects of the hashes that are not good\n"
		for _, text := range advice.Faults(bad) {
			out += "\n  " + strings.Join(texttable.Wrap(text, lineWidth-4), "\n    ")
		}
	}
	return out
}

const (
	verdictWidth = 80 // columns of sentences
	lineWidth    = 120
)

// WriteRecommendation writes which hash to use according to the rows of one run, and returns the
// recommendation. If no row has a quality figure, it writes nothing.
func WriteRecommendation(w io.Writer, list []resultfile.Row) (*advice.Recommendation, error) {
	r := advice.Recommend(oneRun(list))
	if len(r.Choices) == 0 {
		return r, nil
	}
	on := r.Machines[0] // a run has one machine
	var lines []string
	for _, words := range append([]string{r.Lead(on)}, r.Brief(on)...) {
		lines = append(lines, texttable.Wrap(words, verdictWidth)...)
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", strings.Join(lines, "\n")); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	return r, nil
}

//go:embed smhasher3.txt
var smhasher3Results string

// smhasher3 returns the number of failed SMHasher3 tests of each hash, as in "9 of 250".
var smhasher3 = sync.OnceValue(func() map[string]string {
	file, err := resultfile.Read(strings.NewReader(smhasher3Results), "smhasher3.txt")
	if err != nil {
		panic(err) // the file is built in
	}
	tests := map[string][]float64{}
	for _, s := range resultfile.Summarize(file.Rows) {
		hash := s.Name.Get("hash")
		tests[hash] = append(tests[hash], s.Median)
	}
	failed := map[string]string{}
	for hash, counts := range tests {
		failed[hash] = fmt.Sprintf("%.0f of %.0f", counts[0], counts[1])
	}
	return failed
})
