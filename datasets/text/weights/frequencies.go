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

// Builder counts document frequencies in one pass over a corpus: for each feature, the number of
// documents that contain it. It is not safe for concurrent use.
type Builder struct {
	definition string
	documents  uint64
	entries    map[string]*entry
}

// entry is the state of a feature.
type entry struct {
	documents uint64 // number of documents that contain the feature
	last      uint64 // number of the last document counted
}

// NewBuilder returns a builder for features of a definition, such as the String of text.Options.
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

// Len returns the number of different features.
func (b *Builder) Len() int { return len(b.entries) }

// List returns the inverse document frequencies: ln((1+N) / (1+df)) + 1.
func (b *Builder) List() *List {
	idf := func(documents uint64) float64 {
		return portable.Log(float64(1+b.documents)/float64(1+documents)) + 1
	}
	digest := xxhash.New()
	_ = b.Write(digest) // fails only for long lines, after writing everything
	l := &List{weights: make(map[string]float64, len(b.entries)), other: idf(0), name: fmt.Sprintf("table=%016x", digest.Sum64()), definition: b.definition}
	for feature, e := range b.entries {
		l.weights[feature] = idf(e.documents)
	}
	return l
}

// The file of document frequencies is text. It starts with the line magic. The header lines hold a
// name, a tab and a value each. One line per feature follows, in ascending byte order:
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

// Write writes the frequencies as text for ReadList. Equal frequencies give equal bytes.
func (b *Builder) Write(w io.Writer) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	line := append(appendEscaped([]byte(magic+"\ndefinition\t"), b.definition), '\n')
	line = fmt.Appendf(line, "documents\t%d\nfeatures\t%d\n", b.documents, len(b.entries))
	tooLong := error(nil)
	for _, feature := range slices.Sorted(maps.Keys(b.entries)) {
		buffered.Write(line) // Flush returns the error
		line = append(appendEscaped(line[:0], feature), '\t')
		line = append(strconv.AppendUint(line, b.entries[feature].documents, 10), '\n')
		if len(line) > maxLine {
			tooLong = fmt.Errorf("weights: a feature of %d bytes: expected at most %d with its escapes", len(feature), maxLine)
		}
	}
	buffered.Write(line)
	if err := buffered.Flush(); err != nil {
		return err
	}
	return tooLong
}

// maxDocuments bounds the numbers in a file: float64 represents all integers up to it exactly.
const maxDocuments = 1 << 53

// frequencies reads the lines after the line magic.
func (f *file) frequencies() (*List, error) {
	definition, err := f.head("definition")
	if err != nil {
		return nil, err
	}
	b := NewBuilder("")
	if b.definition, err = f.unescaped(definition, len("definition\t")); err != nil {
		return nil, err
	}
	if b.documents, err = f.headNumber("documents"); err != nil {
		return nil, err
	}
	features, err := f.headNumber("features")
	if err != nil {
		return nil, err
	}
	for {
		line, err := f.next()
		n := uint64(len(b.entries))
		switch {
		case err == io.EOF && n < features:
			return nil, f.missing(fmt.Sprintf("%d features", features), fmt.Sprintf("%d and ", n))
		case err == io.EOF:
			return b.List(), nil
		case err != nil:
			return nil, err
		case n == features:
			return nil, f.expected(0, fmt.Sprintf("the end after %d features", features), line)
		case !utf8.Valid(line):
			return nil, f.expected(0, "UTF-8", line)
		}
		feature, number, err := f.entry(line, "a feature, a tab and a number of documents")
		if err != nil {
			return nil, err
		}
		documents, err := f.number(number, len(line)-len(number), 1, b.documents)
		if err != nil {
			return nil, err
		}
		if b.entries[feature] != nil {
			return nil, f.expected(0, "each feature once", line)
		}
		b.entries[feature] = &entry{documents: documents}
	}
}

// head returns the value in the next line, which must have the given name.
func (f *file) head(name string) ([]byte, error) {
	line, err := f.next()
	if err == io.EOF {
		return nil, f.missing(name, "")
	}
	if err != nil {
		return nil, err
	}
	value, found := bytes.CutPrefix(line, []byte(name+"\t"))
	if !found {
		return nil, f.expected(0, name+" and a tab", line)
	}
	return value, nil
}

func (f *file) headNumber(name string) (uint64, error) {
	value, err := f.head(name)
	if err != nil {
		return 0, err
	}
	return f.number(value, len(name)+1, 0, maxDocuments)
}

// missing returns the error for a missing line.
func (f *file) missing(want, got string) error {
	err := f.expected(0, want, []byte(got+"the end"))
	err.Line++
	return fmt.Errorf("%w: is the file truncated?", err)
}

// number parses a number that starts at byte at of the line.
func (f *file) number(text []byte, at int, least, most uint64) (uint64, error) {
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || n < least || n > most {
		if most < least {
			return 0, f.expected(at, "nothing here, since documents is 0", text)
		}
		return 0, f.expected(at, fmt.Sprintf("a number from %d to %d", least, most), text)
	}
	return n, nil
}
