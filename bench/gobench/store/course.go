package store

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"

	"simhashkit/bench/gobench/resultfile"
)

// benchmark identifies a course.
type benchmark struct{ name, unit string }

// part is the samples of a benchmark in one file.
type part struct {
	occasion int
	// its path, and its name without the number that tells it from others of the day
	file, name string
	samples    []resultfile.Sample
}

// follow reads the samples of all occasions. The text of the results is not kept.
func (h *History) follow() {
	var order []benchmark
	parts := map[benchmark][]part{}
	first := map[string]string{} // unit by name
	exact := map[string]bool{}
	for i := len(h.Occasions) - 1; i >= 0; i-- { // the newest first, whose order counts
		for _, e := range h.Occasions[i].entries {
			file, err := resultfile.Read(bytes.NewReader(e.Text), e.Path)
			if err != nil {
				h.Broken = append(h.Broken, err.Error())
				continue
			}
			for _, unit := range file.Units {
				exact[unit.Name] = exact[unit.Name] || unit.Exact
			}
			for _, r := range file.Rows {
				if len(r.Samples) == 0 {
					continue
				}
				b := benchmark{r.Name, r.Unit}
				if parts[b] == nil {
					order = append(order, b)
				}
				first[r.Name] = cmp.Or(first[r.Name], r.Unit)
				parts[b] = append(parts[b], part{i, e.Path, stem(e.Name), r.Samples})
			}
		}
		h.Occasions[i].entries = nil
	}
	for _, b := range order {
		h.Courses = append(h.Courses, Course{Name: b.name, Unit: b.unit, Main: first[b.name] == b.unit, Exact: exact[b.unit], Points: points(parts[b])})
	}
}

var number = regexp.MustCompile(`-\d+$`)

// stem returns a name without the number that Add may have appended.
func stem(name string) string { return number.ReplaceAllString(name, "") }

// points returns a point for each occasion.
func points(parts []part) []Point {
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.occasion, b.occasion) })
	name := commonName(parts)
	var list []Point
	for from := 0; from < len(parts); {
		to := from
		for to < len(parts) && parts[to].occasion == parts[from].occasion {
			to++
		}
		list = append(list, point(parts[from:to], name))
		from = to
	}
	return list
}

// commonName returns the name of files that most occasions have; of several, one of the newest
// occasion.
func commonName(parts []part) string {
	occasions := map[string]int{}
	for i, p := range parts {
		if !slices.ContainsFunc(parts[:i], func(q part) bool { return q.occasion == p.occasion && q.name == p.name }) {
			occasions[p.name]++
		}
	}
	return slices.MaxFunc(parts, func(p, q part) int {
		return cmp.Or(cmp.Compare(occasions[p.name], occasions[q.name]), cmp.Compare(p.occasion, q.occasion))
	}).name
}

// point sums up the parts of one occasion: those of that name, or all where none has it.
func point(parts []part, name string) Point {
	has := slices.ContainsFunc(parts, func(p part) bool { return p.name == name })
	p := Point{Occasion: parts[0].occasion}
	var row resultfile.Row
	for _, q := range parts {
		if q.name == name || !has {
			p.Files = append(p.Files, q.file)
			row.Samples = append(row.Samples, q.samples...)
		}
	}
	p.Figure = row.Figure()
	return p
}
