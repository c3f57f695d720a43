package compare

import (
	"fmt"
	"slices"

	"golang.org/x/perf/benchproc"

	"simhashkit/bench/gobench/resultfile"
)

// unmatched finds the tables that only one column has, because a line such as cpu: differs. It
// reports each difference once. It ignores packages that only one side has: their benchmarks are
// new or missing.
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
