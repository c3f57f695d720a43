package table

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchmath"

	"simhashkit/bench/benchname"
	"simhashkit/bench/resultfile"
)

// confidence of the intervals. With fewer than 6 samples no interval has it.
const confidence = 0.95

// line is a row with its samples summed up.
type line struct {
	name    benchname.Name
	unit    string
	err     string
	summary benchmath.Summary
}

func summarize(rows []resultfile.Row) []line {
	var lines []line
	for _, r := range rows {
		name, err := benchname.Parse(r.Name)
		if err != nil {
			name = benchname.Name{Base: r.Name} // a name of somebody else's: a table of its own
		}
		l := line{name: name, unit: r.Unit, err: r.Err}
		if l.err == "" && len(r.Samples) == 0 {
			l.err = "no samples"
		}
		if l.err == "" {
			var values []float64
			for _, s := range r.Samples {
				values = append(values, s.Value)
			}
			l.summary = benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), confidence)
		}
		lines = append(lines, l)
	}
	return lines
}

// group is the lines of one table: those that measure the same kind of thing and have the same keys.
type group struct {
	title   string
	base    string
	unit    string
	varying []string // the keys whose values differ, which become columns
	lines   []line
}

// groupsOf cuts the lines into groups. What has equal values in a group goes into its title.
func groupsOf(lines []line) []group {
	var groups []group
	places := map[string]int{}
	for _, l := range lines {
		signature := l.name.Base + " " + l.name.Get("data")
		for _, k := range l.name.Keys {
			signature += "/" + k.Key
		}
		i, ok := places[signature]
		if !ok {
			i = len(groups)
			places[signature] = i
			groups = append(groups, group{base: l.name.Base, unit: l.unit})
		}
		groups[i].lines = append(groups[i].lines, l)
	}
	for i := range groups {
		groups[i].nameColumns()
	}
	return groups
}

func (g *group) nameColumns() {
	title := []string{g.base}
	first := g.lines[0].name
	for _, k := range first.Keys {
		differs := slices.ContainsFunc(g.lines, func(l line) bool { return l.name.Get(k.Key) != k.Value })
		if differs || k.Key == "kernel" {
			g.varying = append(g.varying, k.Key)
		} else {
			title = append(title, k.Key+"="+k.Value)
		}
	}
	// Kernels come last, so that what is to be compared stands together.
	if i := slices.Index(g.varying, "kernel"); i >= 0 {
		g.varying = append(slices.Delete(g.varying, i, i+1), "kernel")
		g.sort()
	}
	g.title = strings.Join(title, "  ")
}

// sort brings the lines of each case together that differ by their kernel only; cases stay in order of appearance, and so do the kernels of a case.
func (g *group) sort() {
	order := map[string]int{}
	key := func(l line) string { return l.name.With("kernel", "*").String() }
	for i, l := range g.lines {
		if _, ok := order[key(l)]; !ok {
			order[key(l)] = i
		}
	}
	slices.SortStableFunc(g.lines, func(a, b line) int { return order[key(a)] - order[key(b)] })
}

// numeric reports whether all values of a key are numbers.
func (g *group) numeric(key string) bool {
	return !slices.ContainsFunc(g.lines, func(l line) bool {
		_, err := strconv.Atoi(l.name.Get(key))
		return err != nil
	})
}

// with returns the line that differs from l by its kernel only.
func (g *group) with(l line, kernel string) (line, bool) {
	name := l.name.With("kernel", kernel).String()
	i := slices.IndexFunc(g.lines, func(other line) bool { return other.name.String() == name && other.err == "" })
	if i < 0 {
		return line{}, false
	}
	return g.lines[i], true
}

// has reports whether some line of the group has the kernel.
func (g *group) has(kernel string) bool {
	return slices.ContainsFunc(g.lines, func(l line) bool { return l.name.Get("kernel") == kernel })
}
