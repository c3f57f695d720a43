// Package table formats benchmark results as text: one table for each kind of measurement, with
// medians, intervals, rates, and speed relative to the baselines of the same run.
package table

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/texttable"
)

// Write writes the rows as tables, followed by a table with the quality and cost of hashes, and by
// the output of [WriteDoubts].
func Write(w io.Writer, list []resultfile.Row) error {
	var out strings.Builder
	lines := resultfile.Summarize(list)
	for _, g := range groupsOf(lines) {
		fmt.Fprintf(&out, "%s\n\n%s\n\n", g.title, g.render(lines))
	}
	if text := renderHashes(oneRun(list)); text != "" {
		fmt.Fprintf(&out, "%s\n\n", text)
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return WriteDoubts(w, list)
}

// WriteDoubts writes a warning if times are noisy, and the errors of failed cases.
func WriteDoubts(w io.Writer, list []resultfile.Row) error {
	var out strings.Builder
	lines := resultfile.Summarize(list)
	if text := advice.Noise(lines); text != "" {
		fmt.Fprintf(&out, "%s\n\n", strings.Join(texttable.Wrap(text, verdictWidth), "\n"))
	}
	for _, l := range lines {
		if l.Err != "" {
			fmt.Fprintf(&out, "ERROR  %s: %s\n", l.Name, l.Err)
		}
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}

func oneRun(list []resultfile.Row) *advice.Set {
	return advice.NewSet([]advice.Source{{File: resultfile.File{Rows: list}}})
}

func (g group) render(all []line) string {
	header := slices.Clone(g.varying)
	var words []int // columns with text
	for i, key := range g.varying {
		isWord := func(l line) bool { _, err := strconv.Atoi(l.Name.Get(key)); return err != nil }
		if slices.ContainsFunc(g.lines, isWord) {
			words = append(words, i)
		}
	}
	figures := g.figures(all)
	for _, f := range figures {
		header = append(header, f.header)
	}
	t := texttable.Aligned(words, header...)

	var above line
	for i, l := range g.lines {
		var row texttable.Row
		same := i > 0
		for _, key := range g.varying {
			value := l.Name.Get(key)
			same = same && value == above.Name.Get(key)
			if same {
				value = "" // same as in the line above
			}
			row = append(row, value)
		}
		for _, f := range figures {
			if l.Err != "" {
				row = append(row, "ERROR")
				break
			}
			row = append(row, f.of(l))
		}
		t.AppendRow(row)
		above = l
	}
	return t.Render()
}

// partOfMemory returns the speed of a scan relative to reading the same memory, or "" if that is
// unknown.
func partOfMemory(l line, all []line) string {
	i := slices.IndexFunc(all, func(other line) bool {
		return other.Name.Base == terms.MemoryRead && other.Name.Get("n") == l.Name.Get("n") && other.Err == ""
	})
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("%.0f%%", 100*(l.Median/all[i].Median))
}

type line = resultfile.Summary

// group holds the lines of one table, which have the same operation and the same keys.
type group struct {
	title   string
	base    string
	unit    string
	varying []string // the keys whose values differ, which become columns
	lines   []line   // timed, or the first fact about a case that is not timed
	facts   []line   // all facts about the cases
}

// groupsOf divides the lines into groups. Keys with one value in the whole group go into its title.
func groupsOf(lines []line) []group {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return l.Name.Base == terms.Quality })
	facts := slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return !terms.Fact(l.Unit) })
	has := map[string]bool{} // names with a line that is kept
	for _, l := range lines {
		has[l.Name.String()] = has[l.Name.String()] || !terms.Fact(l.Unit)
	}
	lines = slices.DeleteFunc(lines, func(l line) bool {
		name := l.Name.String()
		former := has[name]
		has[name] = true
		return former && terms.Fact(l.Unit)
	})
	signature := func(l line) string {
		s := l.Name.Base + " " + l.Name.Get("data")
		for _, k := range l.Name.Keys {
			s += "/" + k.Key
		}
		return s
	}
	var groups []group
	for _, same := range advice.GroupBy(lines, signature) {
		g := group{base: same[0].Name.Base, unit: same[0].Unit, lines: same}
		for _, l := range same {
			g.facts = slices.Concat(g.facts, slices.DeleteFunc(slices.Clone(facts), func(f line) bool { return f.Name.String() != l.Name.String() }))
		}
		g.nameColumns()
		groups = append(groups, g)
	}
	return groups
}

func (g *group) nameColumns() {
	title := []string{g.base}
	first := g.lines[0].Name
	for _, k := range first.Keys {
		differs := slices.ContainsFunc(g.lines, func(l line) bool { return l.Name.Get(k.Key) != k.Value })
		if differs || k.Key == "kernel" {
			g.varying = append(g.varying, k.Key)
		} else {
			title = append(title, k.Key+"="+k.Value)
		}
	}
	// The kernel is the last column, so that kernels can be compared.
	if i := slices.Index(g.varying, "kernel"); i >= 0 {
		g.varying = append(slices.Delete(g.varying, i, i+1), "kernel")
		// Lines that differ only in the kernel are adjacent.
		g.lines = slices.Concat(advice.GroupBy(g.lines, func(l line) string { return l.Name.With("kernel", "*").String() })...)
	}
	g.title = strings.Join(title, "  ")
}

// with returns the line that differs from l only in its kernel.
func (g *group) with(l line, kernel string) (line, bool) {
	name := l.Name.With("kernel", kernel).String()
	i := slices.IndexFunc(g.lines, func(other line) bool { return other.Name.String() == name && other.Err == "" })
	if i < 0 {
		return line{}, false
	}
	return g.lines[i], true
}

type figure struct {
	header string
	of     func(l line) string
}

// units has the displayed name, the rate and the divisor of each unit.
var units = map[string]struct {
	median, rate string
	divide       float64
	perSecond    func(median float64) float64
}{
	terms.NanosecondsPerKey:        {"ns/key", "keys/s", 1, func(v float64) float64 { return 1e9 / v }},
	terms.NanosecondsPerFeature:    {"ns/feature", "features/s", 1, func(v float64) float64 { return 1e9 / v }},
	terms.NanosecondsPerComparison: {"ns/comparison", "comparisons/s", 1, func(v float64) float64 { return 1e9 / v }},
	terms.NanosecondsPerQuery:      {"ns/query", "queries/s", 1, func(v float64) float64 { return 1e9 / v }},
	terms.MegabytesPerSecond:       {"GB/s", "fingerprints/s", 1e3, func(v float64) float64 { return v * 1e6 / 8 }},
}

// baselines are the kernels that others are compared with, slowest first.
var baselines = []string{terms.Naive, terms.Library, cpu.Generic.String()}

// figures returns the columns of the group. all has the memory reads that scans are compared with.
func (g group) figures(all []line) []figure {
	unit, known := units[g.unit]
	if !known {
		unit.median, unit.divide = g.unit, 1
	}
	timed := func(format func(l line) string) func(l line) string {
		return func(l line) string {
			if terms.Fact(l.Unit) { // too large to be timed
				return "–"
			}
			return format(l)
		}
	}
	list := []figure{
		{unit.median, timed(func(l line) string { return fmt.Sprintf("%.3f", l.Median/unit.divide) })},
		{"±", timed(func(l line) string { return l.PlusMinus() })},
	}
	if known {
		list = append(list, figure{unit.rate, timed(func(l line) string { return benchunit.Scale(unit.perSecond(l.Median), benchunit.Decimal) })})
	}
	for _, baseline := range baselines {
		if len(g.lines) > 1 && slices.ContainsFunc(g.lines, func(l line) bool { return l.Name.Get("kernel") == baseline }) {
			list = append(list, figure{"× " + baseline, func(l line) string { return factor(l, g, baseline) }})
		}
	}
	if g.base == terms.HammingScan {
		list = append(list, figure{"of memory speed", func(l line) string { return partOfMemory(l, all) }})
	}
	for _, same := range advice.GroupBy(g.facts, func(f line) string { return f.Unit }) {
		list = append(list, figure{same[0].Unit, func(l line) string {
			i := slices.IndexFunc(same, func(f line) bool { return f.Name.String() == l.Name.String() })
			if i < 0 {
				return ""
			}
			return strconv.FormatFloat(math.Round(same[i].Median*1000)/1000, 'f', -1, 64)
		}})
	}
	return list
}

// factor returns the speed of the line relative to the baseline. It returns "" if there is no such
// baseline, or if the line is a slower baseline.
func factor(l line, g group, baseline string) string {
	base, ok := g.with(l, baseline)
	if kernel := l.Name.Get("kernel"); !ok || slices.Contains(baselines, kernel) && slices.Index(baselines, kernel) < slices.Index(baselines, baseline) {
		return ""
	}
	f := base.Median / l.Median
	if terms.Better(l.Unit) > 0 {
		f = 1 / f
	}
	if f < 9.95 {
		return fmt.Sprintf("%.2f", f)
	}
	return fmt.Sprintf("%.1f", f)
}
