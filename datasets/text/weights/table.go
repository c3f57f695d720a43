package weights

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/portable"
)

// Table has document frequencies: how many documents of a corpus have each feature. Builder, Merge
// and Read make tables. A table never changes and is safe for concurrent use.
type Table struct {
	definition string
	documents  uint64
	missed     uint64
	entries    map[string]*entry
}

// entry is what a table or a builder knows about a feature.
type entry struct {
	documents uint64  // counted documents with the feature
	missed    uint64  // the most documents with it that are not counted, from before it was last dropped
	last      uint64  // in a builder: the last document that was counted
	idf       float64 // in a table
}

// maxDocuments bounds the numbers of a table: float64 represents all of them exactly.
const maxDocuments = 1 << 53

// newTable returns a table that owns the entries.
func newTable(definition string, documents, missed uint64, entries map[string]*entry) *Table {
	t := &Table{definition, documents, missed, entries}
	for _, e := range entries {
		e.idf = t.idf(e.documents)
	}
	return t
}

func (t *Table) idf(documents uint64) float64 {
	return portable.Log(float64(1+t.documents)/float64(1+documents)) + 1
}

// Definition describes the features; NewBuilder was given it.
func (t *Table) Definition() string { return t.definition }

// Documents returns the number of documents.
func (t *Table) Documents() uint64 { return t.documents }

// Len returns the number of features.
func (t *Table) Len() int { return len(t.entries) }

// Missed returns the most documents that can have a feature that is not in the table. It is 0
// unless the table was bounded; see NewBuilder.
func (t *Table) Missed() uint64 { return min(t.missed, t.documents) }

// Frequency returns the least and the greatest number of documents that can have the feature.
func (t *Table) Frequency(feature []byte) (least, most uint64) {
	if e := t.entries[string(feature)]; e != nil {
		return e.documents, min(e.documents+e.missed, t.documents)
	}
	return 0, t.Missed()
}

// IDF returns ln((1+N) / (1+df)) + 1, with the least possible df: a feature that was dropped counts
// as rare.
func (t *Table) IDF(feature []byte) float64 {
	if e := t.entries[string(feature)]; e != nil {
		return e.idf
	}
	return t.idf(0)
}

// Check returns an error unless the table has features of that definition.
func (t *Table) Check(definition string) error {
	if t.definition == definition {
		return nil
	}
	return fmt.Errorf("weights: a table of document frequencies of %q; expected one of %q, as the features are", t.definition, definition)
}

// Name returns "table=" and a checksum of the table's contents.
func (t *Table) Name() string {
	digest := xxhash.New()
	_ = t.Write(digest) // fails only for lines that are too long, and writes them all
	return fmt.Sprintf("table=%016x", digest.Sum64())
}

// Merge returns the table of the documents of all tables, such as parts of a corpus that several
// machines have counted. The result equals that of one pass unless a part was bounded; then the
// missed documents add up. Merge prunes more than limit features as a Builder does; 0 is no limit.
// All tables must have the same definition.
func Merge(limit int, tables ...*Table) (*Table, error) {
	if len(tables) == 0 {
		return nil, errors.New("weights: merge: expected a table")
	}
	if limit < 0 {
		return nil, fmt.Errorf("weights: merge: limit %d: expected 0 or more", limit)
	}
	var documents, missed uint64
	sums := map[string]*entry{}
	for _, t := range tables {
		if err := t.Check(tables[0].definition); err != nil {
			return nil, err
		}
		if documents+t.documents > maxDocuments {
			return nil, fmt.Errorf("weights: merge: more than %d documents", uint64(maxDocuments))
		}
		documents, missed = documents+t.documents, missed+t.missed
		for feature, e := range t.entries {
			sum := sums[feature]
			if sum == nil {
				sum = &entry{}
				sums[feature] = sum
			}
			// the documents that other tables may have missed are added below
			sum.documents, sum.missed = sum.documents+e.documents, sum.missed+e.missed-t.missed
		}
	}
	for _, sum := range sums {
		sum.missed += missed
	}
	if limit > 0 && len(sums) > limit {
		missed = prune(sums, keptOf(limit), missed)
	}
	return newTable(tables[0].definition, documents, missed, sums), nil
}

// The file of a table is text: the line magic, a head of lines with a name, a tab and a value, and
// a line for each feature, in ascending order of the bytes:
//
//	fphash document frequencies 1
//	definition	words,n=1,lang=auto
//	documents	1000
//	missed	0
//	features	2
//	shall	977
//	whereas	12
//
// In a bounded table, a third column has the number of further documents that may have the feature,
// unless it is 0. Features and the definition are escaped; see appendEscaped.
const magic = "fphash document frequencies 1"

// headNames are the lines of the head, in their order.
var headNames = []string{"definition", "documents", "missed", "features"}

// Write writes the table as text that Read reads. Equal tables give equal bytes.
func (t *Table) Write(w io.Writer) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	line := append(appendEscaped([]byte(magic+"\ndefinition\t"), []byte(t.definition)), '\n')
	line = fmt.Appendf(line, "documents\t%d\nmissed\t%d\nfeatures\t%d\n", t.documents, t.missed, len(t.entries))
	tooLong := error(nil)
	for _, feature := range slices.Sorted(maps.Keys(t.entries)) {
		buffered.Write(line) // Flush returns the error
		e := t.entries[feature]
		line = append(appendEscaped(line[:0], []byte(feature)), '\t')
		line = strconv.AppendUint(line, e.documents, 10)
		if e.missed > 0 {
			line = strconv.AppendUint(append(line, '\t'), e.missed, 10)
		}
		if line = append(line, '\n'); len(line) > maxLine {
			tooLong = fmt.Errorf("weights: a feature of %d bytes: expected at most %d with its escapes", len(feature), maxLine)
		}
	}
	buffered.Write(line)
	if err := buffered.Flush(); err != nil {
		return err
	}
	return tooLong
}

// Read reads a table that Write has written. The name stands in errors, which say file and line.
func Read(r io.Reader, name string) (*Table, error) {
	reader := &tableReader{source: newSource(r, name)}
	t, err := reader.read()
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	return t, nil
}

type tableReader struct {
	source     *source
	definition string
	documents  uint64
	missed     uint64
	features   uint64
	before     []byte // the feature of the line before
}

func (r *tableReader) read() (*Table, error) {
	if err := r.head(); err != nil {
		return nil, err
	}
	entries := map[string]*entry{}
	for {
		line, err := r.source.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if uint64(len(entries)) == r.features {
			return nil, r.source.expected(0, fmt.Sprintf("the end after %d features", r.features), line)
		}
		feature, e, err := r.entry(line)
		if err != nil {
			return nil, err
		}
		if len(entries) > 0 && bytes.Compare(r.before, feature) >= 0 {
			return nil, r.source.expected(0, "features in ascending order of their bytes", line)
		}
		r.before = feature
		entries[string(feature)] = e
	}
	if uint64(len(entries)) < r.features {
		return nil, r.missing(fmt.Sprintf("%d features", r.features), fmt.Appendf(nil, "%d and ", len(entries)))
	}
	return newTable(r.definition, r.documents, r.missed, entries), nil
}

// head reads the lines before the features.
func (r *tableReader) head() error {
	line, err := r.next(strconv.Quote(magic))
	if err != nil {
		return err
	}
	if string(line) != magic {
		return r.source.expected(0, strconv.Quote(magic), line)
	}
	for i, value := range []*uint64{nil, &r.documents, &r.missed, &r.features} {
		name := headNames[i]
		line, err := r.next(name)
		if err != nil {
			return err
		}
		text, found := bytes.CutPrefix(line, []byte(name+"\t"))
		if !found {
			return r.source.expected(0, name+" and a tab", line)
		}
		at := len(line) - len(text)
		if value == nil {
			definition, bad := appendUnescaped(nil, text)
			if bad >= 0 {
				return r.source.expected(at+bad, wantEscape, text[bad:])
			}
			r.definition = string(definition)
			continue
		}
		if *value, err = r.number(text, at, 0, maxDocuments); err != nil {
			return err
		}
	}
	return nil
}

// next returns the next line of the head.
func (r *tableReader) next(want string) ([]byte, error) {
	line, err := r.source.next()
	if err == io.EOF {
		return nil, r.missing(want, nil)
	}
	return line, err
}

// missing returns the error of a missing line.
func (r *tableReader) missing(want string, got []byte) error {
	err := r.source.expected(0, want, append(got, "the end"...))
	err.Line++
	return fmt.Errorf("%w: is the file truncated?", err)
}

// entry reads a line of a feature.
func (r *tableReader) entry(line []byte) ([]byte, *entry, error) {
	if !utf8.Valid(line) {
		return nil, nil, r.source.expected(0, "UTF-8", line)
	}
	columns := bytes.Split(line, []byte("\t"))
	if len(columns) != 2 && len(columns) != 3 {
		return nil, nil, r.source.expected(0, "a feature, a tab and a number of documents", line)
	}
	feature, bad := appendUnescaped(nil, columns[0])
	if bad >= 0 {
		return nil, nil, r.source.expected(bad, wantEscape, columns[0][bad:])
	}
	at := len(columns[0]) + 1
	documents, err := r.number(columns[1], at, 1, r.documents)
	if err != nil || len(columns) == 2 {
		return feature, &entry{documents: documents}, err
	}
	missed, err := r.number(columns[2], at+len(columns[1])+1, 1, r.missed)
	return feature, &entry{documents: documents, missed: missed}, err
}

// number reads a number at a byte of the line.
func (r *tableReader) number(text []byte, at int, least, most uint64) (uint64, error) {
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || n < least || n > most {
		if most < least {
			return 0, r.source.expected(at, "nothing here, since documents or missed is 0", text)
		}
		return 0, r.source.expected(at, fmt.Sprintf("a number from %d to %d", least, most), text)
	}
	return n, nil
}

// Builder counts document frequencies in one pass over a corpus, in bounded memory. It is for one
// goroutine; several can count parts of a corpus for Merge.
type Builder struct {
	definition string
	limit      int
	documents  uint64
	missed     uint64
	entries    map[string]*entry
}

// NewBuilder returns a builder for features of that definition, such as the String of the options
// of package text. The definition is stored with the table.
//
// With a limit other than 0, the builder holds at most that many features, which take about 100
// bytes each besides their own. When it is full, it drops at least half of them, those in the
// fewest documents. A feature that comes again is counted anew, and the builder knows how many
// documents it may have missed. This is the algorithm of Misra and Gries (1982), with its
// guarantees. Let P be the sum of the numbers of distinct features of all documents:
//
//   - no frequency is too high, and none is too low by more than Missed;
//   - Missed is at most 2·P / limit;
//   - every feature of more than Missed documents is in the table.
//
// Missed documents make a feature seem rarer than it is: its idf is too high by at most ln(1 +
// Missed), and by less for features that the table has. Common words, whose idf matters most, have
// exact counts from the beginning.
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

// keptOf returns one more than the greatest number of features that pruning a full table keeps.
func keptOf(limit int) int { return (limit + 1) / 2 }

// prune drops features so that fewer than kept are left. It returns the new bound of missed
// documents: the most documents that can have one of the dropped features.
//
// In the terms of Misra and Gries, the counter of a feature is documents + missed - bound. Each
// feature of a document adds 1 to one counter, and prune subtracts the growth of the bound from all
// counters, at least kept of which are as large. So the sum of growth × kept over all prunings is
// at most P.
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
