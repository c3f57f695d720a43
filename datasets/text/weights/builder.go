package weights

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// Builder counts document frequencies in one pass over a corpus, in memory that has a bound. It is
// for one goroutine; several count parts of a corpus, for Merge.
type Builder struct {
	definition string
	limit      int
	documents  uint64
	missed     uint64
	entries    map[string]*entry
}

// NewBuilder returns a builder for features of that definition, which travels with the table and
// says what the features are, such as the String of the options of package text.
//
// With a limit other than 0 it holds at most so many features: some 100 bytes and the feature's own
// each. Whenever there are that many, it forgets at least half of them, those that occur in the
// fewest documents. A feature that comes again is counted anew, and it is known how many documents
// may be missing. This is the algorithm of Misra and Gries (1982), and its guarantee holds: with P
// the number of all features of all documents, each counted once a document,
//
//   - no frequency is counted too high, and none is too low by more than Missed;
//   - Missed is at most 2·P / limit;
//   - every feature of more than Missed documents is in the table.
//
// What is missing makes a feature seem rarer than it is: its idf is too high by at most
// ln(1 + Missed), and less for features that the table has. Words that are common, of which the
// idf matters most, have their exact counts from the beginning.
func NewBuilder(definition string, limit int) *Builder {
	if limit < 0 {
		panic("weights: negative limit")
	}
	return &Builder{definition: definition, limit: limit, entries: map[string]*entry{}}
}

// Add counts the features of one document, each once, in any order and with repeats.
func (b *Builder) Add(features [][]byte) {
	b.documents++
	for _, feature := range features {
		e := b.entries[string(feature)]
		switch {
		case e == nil:
			if b.limit > 0 && len(b.entries) >= b.limit {
				b.missed = prune(b.entries, keptOf(b.limit), b.missed)
			}
			b.entries[string(feature)] = &entry{documents: 1, missed: b.missed, last: b.documents}
		case e.last != b.documents:
			e.documents++
			e.last = b.documents
		}
	}
}

// Table returns the table, and leaves the builder empty.
func (b *Builder) Table() *Table {
	t := newTable(b.definition, b.documents, b.missed, b.entries)
	*b = *NewBuilder(b.definition, b.limit)
	return t
}

// keptOf returns how many features of a full table are kept at most, and one more.
func keptOf(limit int) int { return (limit + 1) / 2 }

// prune forgets features such that fewer than kept are left, and returns the new bound of what is
// missed: the most documents that one of the forgotten may be in.
//
// In the words of Misra and Gries, the counter of a feature is documents + missed less the bound,
// each posting adds 1 to one counter, and here the bound's growth is subtracted from all counters,
// of which as many as kept have no less. So growth × kept, over all prunings, is at most P.
func prune(entries map[string]*entry, kept int, missed uint64) uint64 {
	most := make([]uint64, 0, len(entries))
	for _, e := range entries {
		most = append(most, e.documents+e.missed)
	}
	slices.Sort(most)
	bound := max(missed, most[len(most)-kept])
	for feature, e := range entries {
		if e.documents+e.missed <= bound {
			delete(entries, feature)
		}
	}
	return bound
}

// counter counts the features of one document after the other, without allocating once it is warm.
type counter struct {
	seed  maphash.Seed
	slots []uint32 // numbers of terms + 1, 0 where there is none; at most half of them are taken
	terms []term   // in the order of their first occurrence
	order []place
}

// term is a feature of the document and how often it occurs.
type term struct {
	feature []byte
	hash    uint64
	count   int
}

// place is a term with the first bytes of its feature, most significant first, which settle nearly
// all comparisons.
type place struct {
	prefix uint64
	term   uint32
}

func newCounter() counter { return counter{seed: maphash.MakeSeed()} }

// count counts further features. The terms refer to their memory.
func (c *counter) count(features [][]byte) {
	if size := slotsFor(len(c.terms) + len(features)); size > len(c.slots) {
		c.slots = make([]uint32, size)
		mask := uint64(size - 1)
		for i := range c.terms {
			at := c.terms[i].hash & mask
			for c.slots[at] != 0 {
				at = (at + 1) & mask
			}
			c.slots[at] = uint32(i + 1)
		}
	}
	for _, feature := range features {
		c.terms[c.number(feature)].count++
	}
}

// slotsFor returns how many slots so many features take.
func slotsFor(features int) int {
	size := 16
	for size < 2*features {
		size *= 2
	}
	return size
}

// reset makes room for so many features.
func (c *counter) reset(features int) {
	size := slotsFor(features)
	if size > cap(c.slots) {
		c.slots = make([]uint32, size)
	}
	c.slots = c.slots[:size] // after a long document, a short one clears but its own part
	clear(c.slots)
	c.terms = c.terms[:0]
}

// number returns the place of a feature among the terms, where it is added if it is new.
func (c *counter) number(feature []byte) uint32 {
	hash := maphash.Bytes(c.seed, feature)
	mask := uint64(len(c.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		slot := c.slots[at]
		if slot == 0 {
			c.terms = append(c.terms, term{feature: feature, hash: hash})
			c.slots[at] = uint32(len(c.terms))
			return uint32(len(c.terms) - 1)
		}
		if t := &c.terms[slot-1]; t.hash == hash && bytes.Equal(t.feature, feature) {
			return slot - 1
		}
	}
}

// ascending returns the terms in ascending order of their features' bytes. It is valid until the
// next call.
func (c *counter) ascending() []place {
	c.order = c.order[:0]
	for i := range c.terms {
		c.order = append(c.order, place{prefix(c.terms[i].feature), uint32(i)})
	}
	slices.SortFunc(c.order, func(a, b place) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return bytes.Compare(c.terms[a.term].feature, c.terms[b.term].feature)
	})
	return c.order
}

func prefix(feature []byte) uint64 {
	if len(feature) >= 8 {
		return binary.BigEndian.Uint64(feature)
	}
	var padded [8]byte
	copy(padded[:], feature)
	return binary.BigEndian.Uint64(padded[:])
}
