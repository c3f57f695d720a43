package index

import (
	"fmt"
	"math"

	"simhashkit/fphash/index/internal/layout"
	"simhashkit/internal/binomial"
)

// Design says how fingerprints are cut into blocks, and which of the blocks make the keys of
// permuted tables: two fingerprints within MaxK bits agree in at least one key, or differ in at
// most Errors bits of it.
//
// Blocks that are chosen one at a time are those of the pigeonhole principle, k+1 of which find all
// within k; more than one at a time are the tables of Manku, Jain, Das Sarma: Detecting
// Near-Duplicates for Web Crawling, WWW 2007; keys with errors those of Norouzi, Punjani, Fleet:
// Fast Search in Hamming Space with Multi-Index Hashing, CVPR 2012.
type Design struct {
	Blocks int // that a fingerprint is cut into, of equal width or one bit wider
	Choose int // blocks that make a key, every choice a table
	Rest   int // blocks that the rest of the fingerprint is cut into, each a table; 0 means none
	Errors int // bits in which keys may differ
}

// presets are the designs that the literature gives for 64 bits and distances up to 3. The blocks
// of manku4 are also those of pigeonhole(3).
var presets = map[string]Design{
	"manku4":  {Blocks: 4, Choose: 1},
	"manku10": {Blocks: 5, Choose: 2},
	"manku16": {Blocks: 4, Choose: 1, Rest: 4},
	"manku20": {Blocks: 6, Choose: 3},
}

// pigeonhole returns the smallest design that finds all within k: k+1 blocks, each a table.
func pigeonhole(k int) Design { return Design{Blocks: k + 1, Choose: 1} }

// maxTables is the largest number of tables of a design.
const maxTables = 1024

func (d Design) String() string {
	s := fmt.Sprintf("tables-%d-choose-%d", d.Blocks, d.Choose)
	if d.Rest > 0 {
		s += fmt.Sprintf("-rest-%d", d.Rest)
	}
	if d.Errors > 0 {
		s += fmt.Sprintf("-errors-%d", d.Errors)
	}
	return s
}

// check returns an error unless fingerprints of the given width can be cut by the design.
func (d Design) check(width int) error {
	if d.Choose < 1 || d.Blocks < d.Choose || d.Errors < 0 || d.Rest < 0 {
		return fmt.Errorf("index: %d of %d blocks with %d errors, expected at least 1 of as many or more, and no fewer than 0", d.Choose, d.Blocks, d.Errors)
	}
	if d.Errors > 0 && (d.Choose > 1 || d.Rest > 0) {
		return fmt.Errorf("index: keys of %d blocks with %d errors, expected keys of 1 block where errors are allowed", d.Choose, d.Errors)
	}
	if d.Rest > 0 && d.Choose > 1 {
		return fmt.Errorf("index: %d blocks chosen and the rest cut, expected 1 block where the rest is cut", d.Choose)
	}
	if d.Blocks > width || d.Rest > width-(width+d.Blocks-1)/d.Blocks {
		return fmt.Errorf("index: %d blocks and %d of the rest, expected no more than the %d bits", d.Blocks, d.Rest, width)
	}
	if d.Errors > 0 && d.Errors >= width/d.Blocks {
		return fmt.Errorf("index: %d errors in blocks of %d bits, expected fewer than bits", d.Errors, width/d.Blocks)
	}
	if n := d.tables(); n > maxTables {
		return fmt.Errorf("index: %.0f tables, expected at most %d", n, maxTables)
	}
	return nil
}

// MaxK returns the largest distance for which the tables find every match.
func (d Design) MaxK() int {
	if d.Errors > 0 {
		return d.Blocks*(d.Errors+1) - 1
	}
	if d.Rest > 0 {
		return min(d.Blocks, d.Rest) - 1
	}
	return d.Blocks - d.Choose
}

// tables returns the number of tables.
func (d Design) tables() float64 {
	return math.Round(binomial.Choose(d.Blocks, d.Choose)) * float64(max(d.Rest, 1))
}

// reach returns how many of the tables, in order, and how many errors in their keys, are enough to
// find every match within k. It is fewer than all if k is below MaxK.
func (d Design) reach(k int) (tables, errors int) {
	if d.Rest > 0 {
		return int(d.tables()), 0
	}
	if d.Choose > 1 {
		return int(math.Round(binomial.Choose(k+d.Choose, d.Choose))), 0
	}
	errors = k / d.Blocks
	return k/(errors+1) + 1, errors
}

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
// the guard is asked, which may be nil. Numbers that are out of range panic, so a caller that
// checks blocks must check them too: positions are below set.Len(), starts at most set.Len().
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
