// Package table formats benchmark results as text: which hash to use, tables of hashes and methods,
// and a table for each kind of measurement, with medians, intervals, and speed relative to the
// baselines of the same run.
package table

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/texttable"
)

// Write writes which hash to use according to the rows of one run, and returns the recommendation.
// Tables of hashes and methods follow, a warning if times are noisy, and the errors of failed
// cases. If all is true, or no row has a quality figure, Write also writes all measurements.
func Write(w io.Writer, list []resultfile.Row, all bool) (*advice.Recommendation, error) {
	set := advice.NewSet([]advice.Source{{File: resultfile.File{Rows: list}}})
	r := advice.Recommend(set)
	lines := resultfile.Summarize(list)
	var parts []string
	if len(r.Choices) > 0 {
		parts = summary(set, r, all)
	}
	if all || len(r.Choices) == 0 {
		for _, g := range groupsOf(lines) {
			parts = append(parts, g.title+"\n\n"+g.render(lines))
		}
	}
	if text := advice.Noise(lines); text != "" {
		parts = append(parts, wrapped(text))
	}
	var failed []string
	for _, l := range lines {
		if l.Err != "" {
			failed = append(failed, fmt.Sprintf("ERROR  %s: %s", l.Name, l.Err))
		}
	}
	if len(failed) > 0 {
		parts = append(parts, strings.Join(failed, "\n"))
	}
	if len(parts) == 0 {
		return r, nil
	}
	if _, err := io.WriteString(w, strings.Join(parts, "\n\n")+"\n"); err != nil {
		return r, fmt.Errorf("table: %w", err)
	}
	return r, nil
}

// wrapped breaks sentences into lines of 80 columns.
func wrapped(text string) string { return strings.Join(texttable.Wrap(text, 80), "\n") }

func (g group) render(all []resultfile.Summary) string {
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
func partOfMemory(l line, all []resultfile.Summary) string {
	i := slices.IndexFunc(all, func(other resultfile.Summary) bool {
		return other.Name.Base == terms.MemoryRead && other.Name.Get("n") == l.Name.Get("n") && other.Err == ""
	})
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("%.0f%%", 100*(l.Median/all[i].Median))
}

// line is a case: its time, or its first fact if it was not timed, and all its facts.
type line struct {
	resultfile.Summary
	facts []resultfile.Summary
}

// group holds the lines of one table, which have the same operation and the same keys.
type group struct {
	title   string
	base    string
	unit    string
	varying []string // the keys whose values differ, which become columns
	lines   []line
}

// groupsOf divides the timed cases into groups. Keys with one value in the whole group go into its
// title.
func groupsOf(all []resultfile.Summary) []group {
	timed := slices.DeleteFunc(slices.Clone(all), func(s resultfile.Summary) bool { return s.Name.Base == terms.Quality })
	var lines []line
	for _, same := range advice.GroupBy(timed, func(s resultfile.Summary) string { return s.Name.String() }) {
		l := line{Summary: same[0]}
		for _, s := range same {
			if terms.Fact(s.Unit) {
				l.facts = append(l.facts, s)
			} else {
				l.Summary = s
			}
		}
		lines = append(lines, l)
	}
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

// shown has the displayed names of units whose own are not plain.
var shown = map[string]string{terms.NanosecondsPerFeature: "ns/feature", terms.MegabytesPerSecond: "GB/s"}

// baselines are the kernels that others are compared with, slowest first.
var baselines = []string{terms.Naive, terms.Library, cpu.Generic.String()}

// figures returns the columns of the group. all has the memory reads that scans are compared with.
func (g group) figures(all []resultfile.Summary) []figure {
	divide := 1.0
	if g.unit == terms.MegabytesPerSecond {
		divide = 1e3
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
		{cmp.Or(shown[g.unit], g.unit), timed(func(l line) string { return fmt.Sprintf("%.3f", l.Median/divide) })},
		{"±", timed(func(l line) string { return l.PlusMinus() })},
	}
	for _, baseline := range baselines {
		if len(g.lines) > 1 && slices.ContainsFunc(g.lines, func(l line) bool { return l.Name.Get("kernel") == baseline }) {
			list = append(list, figure{"× " + baseline, func(l line) string { return factor(l, g, baseline) }})
		}
	}
	if g.base == terms.HammingScan {
		list = append(list, figure{"of memory speed", func(l line) string { return partOfMemory(l, all) }})
	}
	for _, unit := range g.factUnits() {
		list = append(list, figure{unit, func(l line) string {
			i := slices.IndexFunc(l.facts, func(f resultfile.Summary) bool { return f.Unit == unit })
			if i < 0 {
				return ""
			}
			return strconv.FormatFloat(math.Round(l.facts[i].Median*1000)/1000, 'f', -1, 64)
		}})
	}
	return list
}

// factUnits returns the units of the facts of all cases.
func (g group) factUnits() (units []string) {
	for _, l := range g.lines {
		for _, f := range l.facts {
			if !slices.Contains(units, f.Unit) {
				units = append(units, f.Unit)
			}
		}
	}
	return units
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
