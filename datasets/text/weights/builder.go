package weights

import "slices"

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
