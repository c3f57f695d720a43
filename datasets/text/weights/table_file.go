package weights

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"simhashkit/datasets"
	"simhashkit/internal/wholefile"
)

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
// A third column says how many documents may have the feature besides, where the table was bounded
// and this is not 0. Features and the definition are escaped, see appendEscaped.
const magic = "fphash document frequencies 1"

// headNames are the lines of the head, in their order.
var headNames = []string{"definition", "documents", "missed", "features"}

// Save writes the table to a file, whole or not at all, packed if the name ends in .gz or .zst.
func (t *Table) Save(path string) error {
	if err := wholefile.Write(path, t.Write); err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	return nil
}

// Write writes the table as text, which Read reads: the same bytes for the same table.
func (t *Table) Write(w io.Writer) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	line := append(appendEscaped([]byte(magic+"\ndefinition\t"), []byte(t.definition)), '\n')
	line = fmt.Appendf(line, "documents\t%d\nmissed\t%d\nfeatures\t%d\n", t.documents, t.missed, len(t.entries))
	tooLong := error(nil)
	for _, feature := range t.ascending() {
		buffered.Write(line) // its error is that of Flush
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

// Load reads a table from a file that Save has written, packed or not.
func Load(ctx context.Context, path string) (*Table, error) {
	file, err := datasets.Open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	defer file.Close()
	return Read(file, path)
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

// missing is the error of a line that is not there.
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

// number reads a number, which stands at a byte of the line.
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
