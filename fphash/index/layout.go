package index

import (
	"fmt"

	"simhashkit/fphash/index/internal/layout"
)

// Arrange is for package indexfile: it builds what finds the fingerprints of a file within k bits,
// and returns its design and its arrays, which must not be changed. These are tables, or, where a
// scan is as fast, none and the zero design; every machine chooses alike.
func Arrange(set *Set, k, workers int) (design Design, arrays layout.Layout, err error) {
	o := Options{K: k, Workers: workers, inFile: true}
	if err := checkFor(set, o); err != nil {
		return design, arrays, err
	}
	e := explain(set, o)
	s, err := e.build(set, o)
	if err != nil {
		return design, arrays, err
	}
	return e.choose().Design, s.(interface{ layout() layout.Layout }).layout(), nil
}

func (s *scan) layout() layout.Layout { return layout.Layout{Unsure: s.unsure} }

func (t *tables) layout() layout.Layout {
	l := layout.Layout{Unsure: t.scan.unsure, Loose: t.loose}
	for i := range t.list {
		x := &t.list[i]
		l.Tables = append(l.Tables, layout.Table{Starts: x.starts, Screens: x.screens, Positions: x.positions, Unsure: x.unsure})
	}
	return l
}

// Restore is for package indexfile: it returns the structure of that design, zero for a scan, over
// the set and the arrays that it had. It takes no time, and looks at no number: before one is used,
// the guard is asked, which may be nil. Numbers that are out of range panic, so whoever checks
// blocks must check them too: positions are below set.Len(), starts at most the number of entries
// of the table.
func Restore(set *Set, design Design, l layout.Layout, guard *layout.Guard) (Structure, error) {
	if set == nil {
		return nil, errNoSet
	}
	guarded := *set
	guarded.guard = guard
	s := &scan{set: &guarded, unsure: l.Unsure}
	if design == (Design{}) {
		return s, nil
	}
	if err := design.check(set.Bits); err != nil {
		return nil, err
	}
	t := &tables{name: design.String(), scan: s, design: design, loose: l.Loose}
	keys := design.keys(set.Bits)
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
