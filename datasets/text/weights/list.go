package weights

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/lines"
	"simhashkit/internal/portable"
	"simhashkit/internal/syntax"
)

// List assigns weights to words, with a default weight for all other words: weights chosen by hand,
// or inverse document frequencies. A list is immutable and safe for concurrent use.
type List struct {
	weights    map[string]float64
	other      float64
	name       string
	definition string // of the features that were counted; "" for weights chosen by hand
}

// maxWeight bounds the weights of a list, so that products with counts and sums in float32
// fingerprints stay finite.
const maxWeight = 1e30

// NewList makes a list from a map. Words not in the map have the weight other; 0 removes them.
func NewList(weights map[string]float64, other float64) (*List, error) {
	if !weightOK(other) {
		return nil, fmt.Errorf("weights: weight %v of other words: expected %s", other, wantWeight)
	}
	digest := xxhash.New()
	var line []byte
	for _, word := range slices.Sorted(maps.Keys(weights)) {
		weight := weights[word]
		if !weightOK(weight) {
			return nil, fmt.Errorf("weights: weight %v of %q: expected %s", weight, word, wantWeight)
		}
		line = append(appendEscaped(line[:0], word), '\t')
		digest.Write(append(appendWeight(line, weight), '\n')) // never fails
	}
	digest.Write(appendWeight(nil, other))
	return &List{weights: maps.Clone(weights), other: other, name: fmt.Sprintf("list=%016x", digest.Sum64())}, nil
}

const wantWeight = "a number from -1e30 to 1e30"

func weightOK(w float64) bool { return math.Abs(w) <= maxWeight }

func appendWeight(dst []byte, w float64) []byte { return strconv.AppendFloat(dst, w, 'g', -1, 64) }

// Weight returns the weight of a feature.
func (l *List) Weight(feature []byte) float64 {
	if w, ok := l.weights[string(feature)]; ok {
		return w
	}
	return l.other
}

// Name identifies the list in the definition of the weights: it is "list=", or "table=" for
// document frequencies, and a checksum of all weights.
func (l *List) Name() string { return l.name }

// Definition returns the definition of the features whose document frequencies were counted, as
// passed to NewBuilder. It is "" for other lists.
func (l *List) Definition() string { return l.definition }

// ReadList reads a list from text: document frequencies as Builder.Write writes them, or lines with
// a word, a tab and a weight each. Among the latter, empty lines are skipped, as are lines without
// a tab that begin with #. In a word, \\ is a backslash, \t, \n and \r are a tab and line ends, and
// \x is followed by two hexadecimal digits of a byte. Words not in the list have weight 0. Errors
// contain the name and the line.
func ReadList(r io.Reader, name string) (*List, error) {
	f := &file{lines.NewReader(r, maxLine), cmp.Or(name, "input")}
	l, err := f.read()
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	return l, nil
}

// maxLine is the maximum line length in files of this package.
const maxLine = 16 << 20

// file reads the lines of a file, whose name appears in errors.
type file struct {
	lines *lines.Reader
	name  string
}

func (f *file) read() (*List, error) {
	weights := map[string]float64{}
	for {
		line, err := f.next()
		if err == io.EOF {
			return NewList(weights, 0)
		}
		if err != nil {
			return nil, err
		}
		if f.lines.Number() == 1 && string(line) == magic {
			return f.frequencies()
		}
		if len(line) == 0 || line[0] == '#' && bytes.IndexByte(line, '\t') < 0 {
			continue
		}
		word, number, err := f.entry(line, "a word, a tab and a weight")
		if err != nil {
			return nil, err
		}
		weight, err := strconv.ParseFloat(string(number), 64)
		if err != nil || !weightOK(weight) {
			return nil, f.expected(len(line)-len(number), wantWeight, number)
		}
		if _, twice := weights[word]; twice {
			return nil, f.expected(0, "each word once", line)
		}
		weights[word] = weight
	}
}

// next returns the next line without its line end, and without the byte order mark of the file.
func (f *file) next() ([]byte, error) {
	line, err := f.lines.Next()
	switch err {
	case nil:
		if f.lines.Number() == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		return bytes.TrimSuffix(line, []byte("\r")), nil
	case io.EOF:
		return nil, io.EOF
	case lines.ErrTooLong:
		return nil, f.expected(0, fmt.Sprintf("a line of at most %d bytes", maxLine), line)
	}
	return nil, fmt.Errorf("%s: after line %d: %w", f.name, f.lines.Number(), err)
}

// entry splits a line into a word and a number.
func (f *file) entry(line []byte, want string) (word string, number []byte, err error) {
	tab := bytes.LastIndexByte(line, '\t')
	if tab < 0 {
		return "", nil, f.expected(0, want, line)
	}
	word, err = f.unescaped(line[:tab], 0)
	return word, line[tab+1:], err
}

// expected returns an error for the current line: want was expected at byte at.
func (f *file) expected(at int, want string, got []byte) *syntax.Error {
	return syntax.New(f.name, f.lines.Number(), at+1, want, got)
}

// Files of this package hold features as UTF-8 text. A backslash is written as \\, and control
// characters and bytes that are not valid UTF-8 as \x with two hexadecimal digits. So any feature
// fits into a column of a line.

func appendEscaped(dst []byte, feature string) []byte {
	for len(feature) > 0 {
		r, size := utf8.DecodeRuneInString(feature)
		switch {
		case r == '\\':
			dst = append(dst, `\\`...)
		case r < ' ' || r == 0x7f || r == utf8.RuneError && size == 1:
			dst = fmt.Appendf(dst, `\x%02x`, feature[0])
		default:
			dst = append(dst, feature[:size]...)
		}
		feature = feature[size:]
	}
	return dst
}

// unescaped returns the feature that is written at byte at of the current line.
func (f *file) unescaped(text []byte, at int) (string, error) {
	if bytes.IndexByte(text, '\\') < 0 {
		return string(text), nil
	}
	var feature []byte
	for rest := string(text); rest != ""; {
		if rest[0] != '\\' {
			feature, rest = append(feature, rest[0]), rest[1:]
			continue
		}
		char, _, after, err := strconv.UnquoteChar(rest, 0)
		if err != nil || char > math.MaxUint8 {
			bad := len(text) - len(rest)
			return "", f.expected(at+bad, `\\, \t, \n, \r or \x with two hexadecimal digits`, text[bad:])
		}
		feature, rest = append(feature, byte(char)), after
	}
	return string(feature), nil
}

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
