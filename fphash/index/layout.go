package index

import (
	"fmt"

	"simhashkit/fphash/index/internal/layout"
)

// Arrange is for package indexfile: it builds what finds the fingerprints of a file within k bits,
// and returns its design and its tables, which must not be changed; where a scan is as fast, none
// and the zero design. Every machine chooses alike.
func Arrange(set *Set, k, workers int) (design Design, arrays []layout.Table, err error) {
	o := Options{K: k, Workers: workers, inFile: true}
	if err := checkFor(set, o); err != nil {
		return design, arrays, err
	}
	e := explain(set, o)
	s, err := e.build(set, o)
	if err != nil {
		return design, arrays, err
	}
	if t, ok := s.(*tables); ok {
		arrays = t.layout()
	}
	return e.choose().Design, arrays, nil
}

func (t *tables) layout() (arrays []layout.Table) {
	for i := range t.list {
		x := &t.list[i]
		arrays = append(arrays, layout.Table{Starts: x.starts, Screens: x.screens, Positions: x.positions})
	}
	return arrays
}

// Restore is for package indexfile: it returns the structure of that design, zero for a scan, over
// the set and the arrays that it had. It takes no time, and looks at no number: before one is used,
// the guard is asked, which may be nil. Numbers that are out of range panic, so whoever checks
// blocks must check them too: positions are below set.Len(), starts at most set.Len().
func Restore(set *Set, design Design, arrays []layout.Table, guard *layout.Guard) (Structure, error) {
	if set == nil {
		return nil, errNoSet
	}
	guarded := *set
	guarded.guard = guard
	s := newScan(&guarded)
	if design == (Design{}) {
		return s, nil
	}
	if err := design.check(set.Bits); err != nil {
		return nil, err
	}
	t := &tables{name: design.String(), scan: s, design: design}
	keys := design.keys(set.Bits)
	if len(keys) != len(arrays) {
		return nil, fmt.Errorf("index: layout of %d tables, expected %d", len(arrays), len(keys))
	}
	for i, key := range keys {
		x, from := newTable(key, &guarded), &arrays[i]
		if len(from.Starts) != x.buckets()+1 || len(from.Screens) != set.Len() || len(from.Positions) != set.Len() {
			return nil, fmt.Errorf("index: layout of table %d with arrays of %d, %d and %d numbers, expected those of %d buckets and %d fingerprints", i, len(from.Starts), len(from.Screens), len(from.Positions), x.buckets(), set.Len())
		}
		x.starts, x.screens, x.positions = from.Starts, from.Screens, from.Positions
		t.list = append(t.list, x)
	}
	return t, nil
}
