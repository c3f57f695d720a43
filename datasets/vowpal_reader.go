package datasets

import (
	"bytes"
	"io"
	"strconv"

	"github.com/cespare/xxhash/v2"
)

// VowpalReader reads sparse vectors in Vowpal Wabbit's text format, one line at a time, in memory
// bounded by the longest line.
//
// A line is
//
//	label importance base 'tag|namespace:scale name:value name ... |namespace ...
//
// The label is optional and kept as text; importance, base and what other kinds of labels have
// there must be numbers and are otherwise ignored, since they say how much to learn from a line.
// The tag is the id: what begins with an apostrophe, or touches the first bar, as Vowpal Wabbit has
// it. A namespace touches its bar; without one the features are in that of no name. A name without
// a value has the value 1, and the namespace's scale is multiplied into all of its values.
//
// A name that is a whole number is the index, as it is written, whatever its namespace is: so it is
// in data sets that others have numbered. The same number in two namespaces of a line is an error,
// since features that differ would become one. Any other name is hashed: its index is XXH64, seed
// 0, of the namespace, a ^ and the name, such as "user^name" or "^name" (Vowpal Wabbit itself has
// fewer bits, 18 unless told otherwise, and features that collide).
//
// Values, repeats and blank lines are as SVMLightReader has them; there are no comments. A
// malformed line is a *SyntaxError. Nothing is skipped without one.
type VowpalReader[W Weight] struct {
	textReader[W]
	space vowpalSpace[W]
	key   []byte // namespace^name, to be hashed
	twice numbered
}

// vowpalSpace is the namespace whose features are read.
type vowpalSpace[W Weight] struct {
	name   []byte
	number int // of the namespace in the line; the same if it comes again
	scaled bool
	scale  W
}

// NewVowpalReader returns a reader of plain text; Open gives that of a file. It panics when MaxLine
// is negative.
func NewVowpalReader[W Weight](r io.Reader, options ReadOptions) *VowpalReader[W] {
	reader := &VowpalReader[W]{textReader: newTextReader[W](r, options)}
	reader.bars = true
	return reader
}

// Read stores the next vector in row, whose slices then belong to the reader and are valid until
// the next Read. The end is io.EOF; after an error, Read returns the same error again. It allocates
// only when a line is longer than those before it.
func (r *VowpalReader[W]) Read(row *Row[W]) error { return r.read(row, r.parse) }

// parse reads one line into r.row. It returns false when the line is blank.
func (r *VowpalReader[W]) parse(line []byte) (found bool, bad *SyntaxError) {
	r.begin()
	r.twice.begin()
	at := 0
	for bytes.HasPrefix(line[at:], []byte(byteOrderMark)) { // several when files were joined
		at += len(byteOrderMark)
	}
	if at = skipSpace(line, at); at == len(line) {
		return false, nil
	}
	bar := bytes.IndexByte(line[at:], '|')
	if bar < 0 {
		return false, r.syntaxError(at, wantBar, tokenAt(line, at))
	}
	bar += at
	if bad = r.head(line[:bar], at); bad != nil {
		return false, bad
	}
	for at = bar; bad == nil && at < len(line); at = skipSpace(line, at) {
		if line[at] == '|' {
			at, bad = r.namespace(line, at)
		} else {
			at, bad = r.feature(line, at)
		}
	}
	if bad == nil {
		bad = r.numberedTwice(line)
	}
	if bad == nil {
		bad = r.sum(line)
	}
	return bad == nil, bad
}

// head reads what stands before the first bar, which is where the text ends.
func (r *VowpalReader[W]) head(text []byte, at int) *SyntaxError {
	for first := true; ; first = false {
		if at = skipSpace(text, at); at == len(text) {
			return nil
		}
		token := tokenAt(text, at)
		isTag := token[0] == '\'' || at+len(token) == len(text)
		switch {
		case !printable(token):
			return r.syntaxError(at, "a label, numbers and a tag before the bar", token)
		case isTag && skipSpace(text, at+len(token)) < len(text):
			return r.syntaxError(at, "a bar behind the tag", token)
		case isTag:
			if token = bytes.TrimPrefix(token, []byte("'")); len(token) > 0 {
				r.row.ID = token
			}
			return nil
		case first:
			r.row.Label = token
		case !areNumbers(token):
			return r.syntaxError(at, wantTag, token)
		}
		at += len(token)
	}
}

// areNumbers tells numbers with colons between them, such as 0.5 or 2:0.5.
func areNumbers(token []byte) bool {
	for number := range bytes.SplitSeq(token, []byte(":")) {
		if _, end, ok := scanDecimal(number, 0); !ok || end < len(number) {
			return false
		}
	}
	return true
}

// tokenTo returns the bytes from a position on to white space or a bar.
func tokenTo(line []byte, at int) []byte {
	token := tokenAt(line, at)
	if bar := bytes.IndexByte(token, '|'); bar >= 0 {
		token = token[:bar]
	}
	return token
}

// namespace reads |name or |name:scale and returns where it ends.
func (r *VowpalReader[W]) namespace(line []byte, at int) (int, *SyntaxError) {
	at++
	token := tokenTo(line, at)
	name, value, scaled := bytes.Cut(token, []byte(":"))
	r.space = vowpalSpace[W]{name: name, number: r.twice.namespace(name), scaled: scaled}
	if !scaled {
		return at + len(token), nil
	}
	from := at + len(name) + 1
	scale, bad := r.value(line, from, value, "a finite scale of the namespace")
	r.space.scale = scale
	return at + len(token), bad
}

// feature reads the name:value or name that starts at a position and returns where it ends.
func (r *VowpalReader[W]) feature(line []byte, at int) (int, *SyntaxError) {
	token := tokenTo(line, at)
	name, value, hasValue := bytes.Cut(token, []byte(":"))
	if len(name) == 0 {
		return at, r.syntaxError(at, "a name before the colon", token)
	}
	weight := W(1)
	if hasValue {
		var bad *SyntaxError
		if weight, bad = r.value(line, at+len(name)+1, value, "a finite weight"); bad != nil {
			return at, bad
		}
	}
	r.anyFeature = true
	if r.space.scaled {
		var ok bool
		if weight, ok = multiplyWeights(weight, r.space.scale); !ok {
			return at, r.syntaxError(at, "a weight that fits "+r.kind.name+" when it is scaled", token)
		}
	}
	index, bad := r.index(name, at)
	if bad == nil && weight != 0 {
		r.add(index, weight, at)
	}
	return at + len(token), bad
}

// index returns what the name stands for.
func (r *VowpalReader[W]) index(name []byte, at int) (uint64, *SyntaxError) {
	index, end, ok := scanIndex(name, 0)
	if end < len(name) {
		r.key = append(append(append(r.key[:0], r.space.name...), '^'), name...)
		return xxhash.Sum64(r.key), nil
	}
	if !ok || index < r.options.Base {
		return 0, r.syntaxError(at, r.wantIndex(), name)
	}
	r.twice.add(index-r.options.Base, r.space.number, at)
	return index - r.options.Base, nil
}

// value reads the number that starts at a position.
func (r *VowpalReader[W]) value(line []byte, at int, text []byte, wantFinite string) (W, *SyntaxError) {
	number, end, ok := scanDecimal(text, 0)
	if !ok || end < len(text) {
		if notFinite(text) {
			return 0, r.syntaxError(at, wantFinite, text)
		}
		return 0, r.syntaxError(at, "a number behind the colon", text)
	}
	weight, zero, want := convertWeight[W](r.kind, &number, text)
	if want != "" {
		return 0, r.syntaxError(at, want, text)
	}
	if r.options.Unit && !zero {
		weight = 1 // W may not hold a fraction, and nobody asks
	}
	return weight, nil
}

// numberedTwice returns an error when a number stands in two namespaces of the line.
func (r *VowpalReader[W]) numberedTwice(line []byte) *SyntaxError {
	a, b, found := r.twice.find()
	if !found {
		return nil
	}
	index, _, _ := scanIndex(line, b.place)
	want := "index " + strconv.FormatUint(index, 10) + " in one namespace only, and it is in " + strconv.Quote(clip(r.twice.names[a.namespace])) + " too"
	return r.syntaxError(b.place, want, tokenTo(line, b.place))
}
