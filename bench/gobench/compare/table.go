package compare

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchproc"

	"simhashkit/bench/gobench/resultfile"
)

// side sums up a series; a place that has none gives an empty side.
func (b *builder) side(p place, exact bool) Side {
	s := b.series[p]
	if s == nil || len(s.values) == 0 {
		return Side{}
	}
	figure := resultfile.NewFigure
	if exact {
		figure = resultfile.NewExactFigure
	}
	return Side{Figure: figure(s.values), Runs: len(s.cuts), File: s.file, Line: s.line, series: s}
}

// better returns which direction of a tidied unit is an improvement: +1 up, -1 down, 0 nobody
// knows.
func better(unit string, units resultfile.Units) int {
	if direction, said := units.Better(unit); said {
		return direction
	}
	// Beyond benchstat's defaults, for units of which nothing else can be meant.
	what, per, _ := strings.Cut(unit, "/")
	switch {
	case per == "s" || per == "sec":
		return +1
	case what == "sec" || what == "B" || what == "allocs" || strings.HasSuffix(what, "-sec"):
		return -1
	}
	return 0
}

// FieldsOf returns the fields of a table's key, other than the unit.
func FieldsOf(table benchproc.Key) []resultfile.Field {
	var fields []resultfile.Field
	for _, f := range table.Projection().FlattenedFields() {
		if value := table.Get(f); value != "" && f.Name != ".unit" {
			fields = append(fields, resultfile.Field{Name: f.Name, Value: value})
		}
	}
	return fields
}

// unmatched finds the tables that one column has and the other does not, because a line such as
// cpu: differs. It reports each difference once and returns the tables. A package that only one
// side has is another matter: its benchmarks are new or missing.
func (b *builder) unmatched(old, new benchproc.Key, columns map[benchproc.Key]map[benchproc.Key][]benchproc.Key) map[benchproc.Key]bool {
	lonely := func(of, without benchproc.Key) (tables []benchproc.Key) {
		for _, t := range sortedKeys(columns[of]) {
			if _, ok := columns[without][t]; !ok {
				tables = append(tables, t)
			}
		}
		return tables
	}
	found := map[benchproc.Key]bool{}
	said := map[string]bool{}
	for _, o := range lonely(old, new) {
		for _, n := range lonely(new, old) {
			differing := benchproc.NonSingularFields([]benchproc.Key{o, n})
			if slices.ContainsFunc(differing, func(f *benchproc.Field) bool { return f.Name == ".unit" || f.Name == "pkg" }) {
				continue
			}
			found[o], found[n] = true, true
			for _, f := range differing {
				message := fmt.Sprintf("%s is %q in %s, but %q in %s", f.Name, o.Get(f), old.StringValues(), n.Get(f), new.StringValues())
				if slices.Contains([]string{"goos", "goarch", "cpu"}, f.Name) {
					message = "different machines: " + message
				}
				if said[message] {
					continue
				}
				said[message] = true
				benchproc.SortKeys(columns[old][o])
				b.gap(GapMachine, b.side(place{o, columns[old][o][0], old}, false), "", "", fmt.Sprintf("%s; --ignore %s compares nevertheless", message, f.Name))
			}
		}
	}
	return found
}

// withoutProcs cuts the -8 off that the go command appends to names.
func withoutProcs(name string) string {
	i := strings.LastIndexByte(name, '-')
	if i < 0 || i+1 == len(name) || strings.Trim(name[i+1:], "0123456789") != "" {
		return name
	}
	return name[:i]
}
