package index

import "fmt"

// Layout is what a structure is made of beside its set, as flat arrays that can be written to a
// file and searched where they lie. All of them are determined by the set and the design, but take
// long to make.
type Layout struct {
	Name   string // as of the structure
	Design Design // of tables; zero is a scan
	Unsure int    // the largest number of unsure bits of a stored fingerprint
	Loose  []uint32
	Tables []TableLayout
}

// TableLayout is the arrays of one table: where each bucket begins in the other three, and behind
// the last bucket where that ends; Unsure only if the set has masks.
type TableLayout struct{ Starts, Screens, Positions, Unsure []uint32 }

// LayoutOf returns the arrays of a structure, which must not be changed. It fails for those that
// are neither tables nor a scan.
func LayoutOf(s Structure) (Layout, error) {
	switch s := s.(type) {
	case nil:
		return Layout{}, errNoStructure
	case *scan:
		return Layout{Name: s.Name(), Unsure: s.unsure}, nil
	case *tables:
		l := Layout{Name: s.name, Design: s.design, Unsure: s.scan.unsure, Loose: s.loose}
		for i := range s.list {
			t := &s.list[i]
			l.Tables = append(l.Tables, TableLayout{t.starts, t.screens, t.positions, t.unsure})
		}
		return l, nil
	}
	return Layout{}, fmt.Errorf("index: layout of %s, expected tables or a scan", s.Name())
}

// Structure returns the structure that the arrays are of, over the set that they were made of. It
// takes no time, and looks at no number: before one is used, the guard is asked, which may be nil.
// Numbers that are out of range panic, so whoever checks blocks must check them too: positions are
// below set.Len(), starts at most the number of entries of the table.
func (l Layout) Structure(set *Set, guard *Guard) (Structure, error) {
	if set == nil {
		return nil, errNoSet
	}
	guarded := *set
	guarded.guard = guard
	s := &scan{set: &guarded, unsure: l.Unsure}
	if l.Design == (Design{}) {
		return s, nil
	}
	if err := l.Design.check(set.Bits); err != nil {
		return nil, err
	}
	t := &tables{name: l.Name, scan: s, design: l.Design, loose: l.Loose}
	keys := l.Design.keys(set.Bits)
	if len(keys) != len(l.Tables) {
		return nil, fmt.Errorf("index: layout of %d tables, expected %d", len(l.Tables), len(keys))
	}
	for i, key := range keys {
		x, from := newTable(key, &guarded), &l.Tables[i]
		n := len(from.Screens)
		if len(from.Starts) != x.buckets()+1 || len(from.Positions) != n || set.Masks == nil && len(from.Unsure) > 0 || set.Masks != nil && len(from.Unsure) != n {
			return nil, fmt.Errorf("index: layout of table %d with arrays of %d, %d, %d and %d numbers, expected those of %d buckets", i, len(from.Starts), n, len(from.Positions), len(from.Unsure), x.buckets())
		}
		x.starts, x.screens, x.positions, x.entries = from.Starts, from.Screens, from.Positions, n
		if set.Masks != nil {
			x.unsure = from.Unsure
		}
		t.list = append(t.list, x)
	}
	return t, nil
}
