package advice

import (
	"cmp"
	"slices"
	"strings"

	"simhashkit/bench/gobench/resultfile"
)

// Conflict is an exact figure that two files do not agree on.
type Conflict struct {
	Row, Unit   string
	Kept, Other resultfile.Figure
	KeptSource  int
	OtherSource int
}

// Exact returns the cells of deterministic figures with that base, those of all files in order of
// appearance. Where two files have the same row, the later one counts; figures on which they do not
// agree are conflicts.
func (s *Set) Exact(base string) (cells []Cell, conflicts []Conflict) {
	places := map[string]int{}
	for _, byBase := range s.byBase {
		for _, c := range byBase[base] {
			i, ok := places[c.Name.String()]
			if !ok {
				places[c.Name.String()] = len(cells)
				cells = append(cells, c)
				continue
			}
			conflicts = append(conflicts, differences(c, cells[i])...)
			cells[i] = c
		}
	}
	return cells, conflicts
}

// differences compares two cells of one name.
func differences(kept, other Cell) []Conflict {
	var list []Conflict
	for unit, f := range kept.figures {
		if g, ok := other.figures[unit]; ok && f.Median != g.Median {
			list = append(list, Conflict{kept.Row(), unit, f, g, kept.Source, other.Source})
		}
	}
	slices.SortFunc(list, func(a, b Conflict) int { return cmp.Compare(a.Unit, b.Unit) })
	return list
}

// Machine is one kind of computer and the files that were made on it.
type Machine struct {
	Name    string
	set     *Set
	sources []int
}

// Machines returns the machines of the files, in order of appearance.
func (s *Set) Machines() []Machine {
	var list []Machine
	for i, source := range s.Sources {
		name := source.Machine()
		at := slices.IndexFunc(list, func(m Machine) bool { return m.Name == name })
		if at < 0 {
			at = len(list)
			list = append(list, Machine{Name: name, set: s})
		}
		list[at].sources = append(list[at].sources, i)
	}
	return list
}

// Machine says what the file was made on: processor, operating system and architecture, as far as
// the file says.
func (s Source) Machine() string {
	system := s.Config("goos")
	if arch := s.Config("goarch"); arch != "" {
		system += "/" + arch
	}
	parts := slices.DeleteFunc([]string{s.Config("cpu"), system}, func(p string) bool { return p == "" })
	if len(parts) == 0 {
		return "a machine that the file does not name"
	}
	return strings.Join(parts, ", ")
}

// Runs returns the cells of that base file by file, those of files that have none left out.
func (m Machine) Runs(base string) [][]Cell {
	var list [][]Cell
	for _, i := range m.sources {
		if cells := m.set.byBase[i][base]; len(cells) > 0 {
			list = append(list, cells)
		}
	}
	return list
}
