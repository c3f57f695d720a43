package table

import (
	"slices"
	"strconv"
	"strings"

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
