package weights

import (
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
