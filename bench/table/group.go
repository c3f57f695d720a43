package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

	"simhashkit/asm/cpu"
	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// line is what a row of results is here.
type line = resultfile.Summary

// group is the lines of one table: those that measure the same kind of thing and have the same
// keys.
type group struct {
	title   string
	base    string
	unit    string
	varying []string // the keys whose values differ, which become columns
	lines   []line
}

// groupsOf cuts the lines into groups. What has equal values in a group goes into its title.
func groupsOf(lines []line) []group {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l line) bool {
		return l.Name.Base == terms.Quality || ordinary(l)
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
	// Kernels come last, so that what is to be compared stands together.
	if i := slices.Index(g.varying, "kernel"); i >= 0 {
		g.varying = append(slices.Delete(g.varying, i, i+1), "kernel")
		// So do the lines of a case, in order of appearance.
		g.lines = slices.Concat(advice.GroupBy(g.lines, func(l line) string { return l.Name.With("kernel", "*").String() })...)
	}
	g.title = strings.Join(title, "  ")
}

// numeric reports whether all values of a key are numbers.
func (g *group) numeric(key string) bool {
	return !slices.ContainsFunc(g.lines, func(l line) bool {
		_, err := strconv.Atoi(l.Name.Get(key))
		return err != nil
	})
}

// with returns the line that differs from l by its kernel only.
func (g *group) with(l line, kernel string) (line, bool) {
	name := l.Name.With("kernel", kernel).String()
	i := slices.IndexFunc(g.lines, func(other line) bool { return other.Name.String() == name && other.Err == "" })
	if i < 0 {
		return line{}, false
	}
	return g.lines[i], true
}

// has reports whether some line of the group has the kernel.
func (g *group) has(kernel string) bool {
	return slices.ContainsFunc(g.lines, func(l line) bool { return l.Name.Get("kernel") == kernel })
}

// figure is a column of figures, for lines that have some.
type figure struct {
	header string
	of     func(l line) string
}

// units says how a unit is shown: by how much the median is divided, and how many things a second
// that is.
var units = map[string]struct {
	median, rate string
	divide       float64
	perSecond    func(median float64) float64
}{
	terms.NanosecondsPerKey:     {"ns/key", "keys/s", 1, func(v float64) float64 { return 1e9 / v }},
	terms.NanosecondsPerFeature: {"ns/feature", "features/s", 1, func(v float64) float64 { return 1e9 / v }},
	terms.MegabytesPerSecond:    {"GB/s", "fingerprints/s", 1e3, func(v float64) float64 { return v * 1e6 / 8 }},
}

// baselines are the kernels that others are compared with, the slower ones first.
var baselines = []string{terms.Naive, terms.Library, cpu.Generic.String()}

// figures returns the columns that the group can fill; all lines are there to find what a
// scan is compared with among them.
func (g group) figures(all []line) []figure {
	unit, known := units[g.unit]
	if !known {
		unit.median, unit.divide = g.unit, 1
	}
	list := []figure{
		{unit.median, func(l line) string { return fmt.Sprintf("%.3f", l.Median/unit.divide) }},
		{"±", func(l line) string { return l.PlusMinus() }},
	}
	if known {
		list = append(list, figure{unit.rate, func(l line) string { return scaled(unit.perSecond(l.Median)) }})
	}
	for _, baseline := range baselines {
		if g.has(baseline) && len(g.lines) > 1 {
			list = append(list, figure{"× " + baseline, func(l line) string { return factor(l, g, baseline) }})
		}
	}
	if g.base == terms.HammingScan {
		list = append(list, figure{"of memory speed", func(l line) string {
			if part, ok := partOfMemory(l, all); ok {
				return fmt.Sprintf("%.0f%%", 100*part)
			}
			return ""
		}})
	}
	return list
}

// scaled shows three or four digits and a prefix: 7.14G, 999.5k.
func scaled(v float64) string {
	return benchunit.Scale(v, benchunit.Decimal)
}

// factor says how many times as fast as the baseline the line is. For other baselines that is left
// out: it is said the other way round already.
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
