package weights

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/portable"
)

// Table holds document frequencies: for each feature, the number of documents of a corpus that
// contain it. Use Builder or Read to make a table. A table is immutable and safe for concurrent
// use.
type Table struct {
	definition string
	documents  uint64
	entries    map[string]*entry
}

// entry is the state of a feature in a table or a builder.
type entry struct {
	documents uint64  // number of documents that contain the feature
	last      uint64  // in a builder: the last document counted
	idf       float64 // in a table: the precomputed idf
}

// maxDocuments bounds the numbers in a table: float64 represents all integers up to it exactly.
const maxDocuments = 1 << 53

// newTable returns a table that takes ownership of entries.
func newTable(definition string, documents uint64, entries map[string]*entry) *Table {
	t := &Table{definition, documents, entries}
	for _, e := range entries {
		e.idf = t.idf(e.documents)
	}
	return t
}

func (t *Table) idf(documents uint64) float64 {
	return portable.Log(float64(1+t.documents)/float64(1+documents)) + 1
}

// Definition returns the definition of the features, as passed to NewBuilder.
func (t *Table) Definition() string { return t.definition }

// Documents returns the number of documents.
func (t *Table) Documents() uint64 { return t.documents }

// Len returns the number of features.
func (t *Table) Len() int { return len(t.entries) }

// IDF returns ln((1+N) / (1+df)) + 1.
func (t *Table) IDF(feature []byte) float64 {
	if e := t.entries[string(feature)]; e != nil {
		return e.idf
	}
	return t.idf(0)
}

// Check returns an error if the table is for another definition of features.
func (t *Table) Check(definition string) error {
	if t.definition == definition {
		return nil
	}
	return fmt.Errorf("weights: the table counts the features %q, but the texts have the features %q", t.definition, definition)
}

// Name returns "table=" and a checksum of the table's contents.
func (t *Table) Name() string {
	digest := xxhash.New()
	_ = t.Write(digest) // fails only for long lines, after writing everything
	return fmt.Sprintf("table=%016x", digest.Sum64())
}

// The file of a table is text. It starts with the line magic. The header lines hold a name, a tab
// and a value each. One line per feature follows, in ascending byte order:
//
//	fphash document frequencies 1
//	definition	words,n=1,lang=auto
//	documents	1000
//	features	2
//	shall	977
//	whereas	12
//
// Features and the definition are escaped; see appendEscaped.
const magic = "fphash document frequencies 1"

// headNames are the names of the header lines, in order.
var headNames = []string{"definition", "documents", "features"}

// Write writes the table as text that Read reads. Equal tables give equal bytes.
func (t *Table) Write(w io.Writer) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	line := append(appendEscaped([]byte(magic+"\ndefinition\t"), []byte(t.definition)), '\n')
	line = fmt.Appendf(line, "documents\t%d\nfeatures\t%d\n", t.documents, len(t.entries))
	tooLong := error(nil)
	for _, feature := range slices.Sorted(maps.Keys(t.entries)) {
		buffered.Write(line) // Flush returns the error
		line = append(appendEscaped(line[:0], []byte(feature)), '\t')
		line = strconv.AppendUint(line, t.entries[feature].documents, 10)
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

// Read reads a table written by Write. Errors contain the name and the line.
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
	features   uint64
	before     []byte // the feature of the previous line
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
	return newTable(r.definition, r.documents, entries), nil
}

// head reads the header.
func (r *tableReader) head() error {
	line, err := r.next(strconv.Quote(magic))
	if err != nil {
		return err
	}
	if string(line) != magic {
		return r.source.expected(0, strconv.Quote(magic), line)
	}
	for i, value := range []*uint64{nil, &r.documents, &r.features} {
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

// next returns the next header line.
func (r *tableReader) next(want string) ([]byte, error) {
	line, err := r.source.next()
	if err == io.EOF {
		return nil, r.missing(want, nil)
	}
	return line, err
}

// missing returns the error for a missing line.
func (r *tableReader) missing(want string, got []byte) error {
	err := r.source.expected(0, want, append(got, "the end"...))
	err.Line++
	return fmt.Errorf("%w: is the file truncated?", err)
}

// entry parses the line of a feature.
func (r *tableReader) entry(line []byte) ([]byte, *entry, error) {
	if !utf8.Valid(line) {
		return nil, nil, r.source.expected(0, "UTF-8", line)
	}
	escaped, number, found := bytes.Cut(line, []byte("\t"))
	if !found {
		return nil, nil, r.source.expected(0, "a feature, a tab and a number of documents", line)
	}
	feature, bad := appendUnescaped(nil, escaped)
	if bad >= 0 {
		return nil, nil, r.source.expected(bad, wantEscape, escaped[bad:])
	}
	documents, err := r.number(number, len(escaped)+1, 1, r.documents)
	return feature, &entry{documents: documents}, err
}

// number parses a number that starts at byte at of the line.
func (r *tableReader) number(text []byte, at int, least, most uint64) (uint64, error) {
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || n < least || n > most {
		if most < least {
			return 0, r.source.expected(at, "nothing here, since documents is 0", text)
		}
		return 0, r.source.expected(at, fmt.Sprintf("a number from %d to %d", least, most), text)
	}
	return n, nil
}

// Builder counts document frequencies in one pass over a corpus. It is not safe for concurrent use.
type Builder struct {
	definition string
	documents  uint64
	entries    map[string]*entry
}

// NewBuilder returns a builder for features of a definition, such as the String of text.Options.
// The definition is stored in the table.
func NewBuilder(definition string) *Builder {
	return &Builder{definition: definition, entries: map[string]*entry{}}
}

// Add counts the features of one document. Features may be in any order; repeats count once.
func (b *Builder) Add(features [][]byte) {
	b.documents++
	for _, feature := range features {
		e := b.entries[string(feature)]
		if e == nil {
			e = &entry{}
			b.entries[string(feature)] = e
		}
		if e.last != b.documents {
			e.documents++
			e.last = b.documents
		}
	}
}

// Documents returns the number of documents added.
func (b *Builder) Documents() uint64 { return b.documents }

// Table returns the table and resets the builder.
func (b *Builder) Table() *Table {
	t := newTable(b.definition, b.documents, b.entries)
	*b = *NewBuilder(b.definition)
	return t
}
