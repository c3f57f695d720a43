package advice

import (
	"slices"
	"strings"
)

// Exact returns the cells of deterministic figures with that base, those of all files in order of
// appearance. Where two files have the same row, the later one counts.
func (s *Set) Exact(base string) (cells []Cell) {
	places := map[string]int{}
	for _, byBase := range s.byBase {
		for _, c := range byBase[base] {
			i, ok := places[c.Name.String()]
			if !ok {
				i = len(cells)
				places[c.Name.String()] = i
				cells = append(cells, c)
			}
			cells[i] = c
		}
	}
	return cells
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
