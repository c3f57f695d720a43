package weights

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/lines"
	"simhashkit/internal/syntax"
)

// List assigns weights to words, with a default weight for all other words.
type List struct {
	weights map[string]float64
	other   float64
	name    string
}

// maxWeight bounds the weights of a list, so that products with counts and sums in float32
// fingerprints stay finite.
const maxWeight = 1e30

// NewList makes a list from a map. Words not in the map have the weight other; 0 removes them.
func NewList(weights map[string]float64, other float64) (*List, error) {
	if !weightOK(other) {
		return nil, fmt.Errorf("weights: weight %v of other words: expected %s", other, wantWeight)
	}
	for word, weight := range weights {
		if !weightOK(weight) {
			return nil, fmt.Errorf("weights: weight %v of %q: expected %s", weight, word, wantWeight)
		}
	}
	l := &List{weights: maps.Clone(weights), other: other}
	digest := xxhash.New()
	if err := l.Write(digest); err != nil {
		return nil, err
	}
	digest.Write(appendWeight(nil, other)) // never fails
	l.name = fmt.Sprintf("list=%016x", digest.Sum64())
	return l, nil
}

// Write writes the words and their weights as text for ReadList, in ascending byte order, so equal
// lists give equal bytes. It does not write the default weight.
func (l *List) Write(w io.Writer) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	for i, word := range slices.Sorted(maps.Keys(l.weights)) {
		line = line[:0]
		if i == 0 && strings.HasPrefix(word, byteOrderMark) {
			line = append(line, byteOrderMark...) // ReadList strips one from the file
		}
		line = append(appendEscaped(line, []byte(word)), '\t')
		buffered.Write(append(appendWeight(line, l.weights[word]), '\n')) // Flush returns the error
	}
	return buffered.Flush()
}

const byteOrderMark = "\ufeff"

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

// IDF is the same as Weight. It is for lists of inverse document frequencies.
func (l *List) IDF(feature []byte) float64 { return l.Weight(feature) }

// Name returns "list=" and a checksum of all weights.
func (l *List) Name() string { return l.name }

// ReadList reads a list from plain text. Each line holds a word, a tab and a weight. Empty lines
// are skipped, as are lines without a tab that begin with #. In a word, \\ is a backslash, \t, \n
// and \r are a tab and line ends, and \x is followed by two hexadecimal digits of a byte. Words not
// in the list have weight 0. Errors contain the name and the line.
func ReadList(r io.Reader, name string) (*List, error) {
	source := newSource(r, name)
	weights := map[string]float64{}
	for {
		line, err := source.next()
		if err == io.EOF {
			return NewList(weights, 0)
		}
		if err != nil {
			return nil, fmt.Errorf("weights: %w", err)
		}
		if source.lines.Number() == 1 {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		if bad := addWeight(weights, source, line); bad != nil {
			return nil, fmt.Errorf("weights: %w", bad)
		}
	}
}

func addWeight(weights map[string]float64, source *source, line []byte) error {
	tab := bytes.LastIndexByte(line, '\t')
	if tab < 0 {
		if len(line) == 0 || line[0] == '#' {
			return nil
		}
		return source.expected(0, "a word, a tab and a weight", line)
	}
	word, bad := appendUnescaped(nil, line[:tab])
	if bad >= 0 {
		return source.expected(bad, wantEscape, line[bad:tab])
	}
	weight, err := strconv.ParseFloat(string(line[tab+1:]), 64)
	if err != nil || !weightOK(weight) {
		return source.expected(tab+1, wantWeight, line[tab+1:])
	}
	if _, twice := weights[string(word)]; twice {
		return source.expected(0, "each word once", line[:tab])
	}
	weights[string(word)] = weight
	return nil
}

const wantEscape = `\\, \t, \n, \r or \x with two hexadecimal digits`

// maxLine is the maximum line length in files of this package.
const maxLine = 16 << 20

// source reads the lines of a file, whose name appears in errors.
type source struct {
	lines *lines.Reader
	name  string
}

func newSource(r io.Reader, name string) *source {
	if name == "" {
		name = "input"
	}
	return &source{lines.NewReader(r, maxLine), name}
}

// next returns the next line without its LF or CRLF. It is valid until the next call.
func (s *source) next() ([]byte, error) {
	line, err := s.lines.Next()
	switch err {
	case nil:
		return bytes.TrimSuffix(line, []byte("\r")), nil
	case io.EOF:
		return nil, io.EOF
	case lines.ErrTooLong:
		return nil, s.expected(0, fmt.Sprintf("a line of at most %d bytes", maxLine), line)
	}
	return nil, fmt.Errorf("%s: after line %d: %w", s.name, s.lines.Number(), err)
}

// expected returns an error for the current line: want was expected at byte at.
func (s *source) expected(at int, want string, got []byte) *syntax.Error {
	return syntax.New(s.name, s.lines.Number(), at+1, want, got)
}

// Files of this package hold features as UTF-8 text. A backslash is written as \\. Control
// characters and bytes that are not valid UTF-8 are written as \t, \n, \r or \x with two
// hexadecimal digits. So any feature fits into a column of a line.

const hexDigits = "0123456789abcdef"

func appendEscaped(dst, feature []byte) []byte {
	for at := 0; at < len(feature); {
		c := feature[at]
		if c >= utf8.RuneSelf {
			if _, size := utf8.DecodeRune(feature[at:]); size > 1 {
				dst = append(dst, feature[at:at+size]...)
				at += size
				continue
			}
		}
		at++
		switch {
		case c == '\\':
			dst = append(dst, `\\`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c < ' ' || c >= 0x7f:
			dst = append(dst, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// appendUnescaped appends the unescaped text. bad is the position of an invalid escape, or -1.
func appendUnescaped(dst, text []byte) (feature []byte, bad int) {
	at := 0
	for {
		slash := bytes.IndexByte(text[at:], '\\')
		if slash < 0 {
			return append(dst, text[at:]...), -1
		}
		dst, at = append(dst, text[at:at+slash]...), at+slash
		escape := string(text[at:min(at+len(`\xff`), len(text))])
		if len(escape) < 2 || !strings.ContainsRune(`\tnrx`, rune(escape[1])) { // Go has more escapes
			return dst, at
		}
		char, _, rest, err := strconv.UnquoteChar(escape, 0)
		if err != nil {
			return dst, at
		}
		dst, at = append(dst, byte(char)), at+len(escape)-len(rest)
	}
}
