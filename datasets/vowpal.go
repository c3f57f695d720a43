package datasets

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/syntax"
)

// vowpalReader reads Vowpal Wabbit text. It allocates only for lines longer than any line before.
type vowpalReader[W Weight] struct {
	lineReader[W]
	space vowpalSpace[W]
	key   []byte // namespace^name, the text to hash

	first    []byte            // name of the line's first namespace
	several  bool              // the line has other namespaces, too
	numbered []numberedFeature // of the line
}

// vowpalSpace is the current namespace.
type vowpalSpace[W Weight] struct {
	name   []byte
	scaled bool
	scale  W
}

func newVowpalReader[W Weight](source io.Reader, options ReadOptions) *VectorReader[W] {
	r := &vowpalReader[W]{lineReader: newLineReader[W](source, options, `lines of Vowpal Wabbit such as "1 'id| 3:0.5 7:2"`)}
	r.next, r.parse, r.bars = r.nextLine, r.parseLine, true
	return &r.VectorReader
}

func (r *vowpalReader[W]) parseLine(line []byte) (found bool, bad *SyntaxError) {
	r.begin(r.lines.Number())
	r.first, r.several, r.numbered = nil, false, r.numbered[:0]
	at := skipSpace(line, skipMarks(line))
	if at == len(line) {
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
		bad = r.sumLine(line)
	}
	return bad == nil, bad
}

// head reads the label, numbers and tag before the first bar. text ends at that bar.
func (r *vowpalReader[W]) head(text []byte, at int) *SyntaxError {
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
			return r.syntaxError(at, "a bar after the tag", token)
		case isTag:
			if token = bytes.TrimPrefix(token, []byte("'")); len(token) > 0 {
				r.row.ID = token
			}
			return nil
		case !first && !areNumbers(token):
			return r.syntaxError(at, wantTag, token)
		}
		at += len(token)
	}
}

// areNumbers reports whether a token is a list of numbers separated by colons, such as 0.5 or
// 2:0.5.
func areNumbers(token []byte) bool {
	for number := range bytes.SplitSeq(token, []byte(":")) {
		if _, ok := parseNumber(number, 64); !ok {
			return false
		}
	}
	return true
}

// tokenTo returns the bytes from a position up to the next white space or bar.
func tokenTo(line []byte, at int) []byte {
	token := tokenAt(line, at)
	if bar := bytes.IndexByte(token, '|'); bar >= 0 {
		token = token[:bar]
	}
	return token
}

// namespace reads |name or |name:scale, and returns the position after it.
func (r *vowpalReader[W]) namespace(line []byte, at int) (int, *SyntaxError) {
	at++
	token := tokenTo(line, at)
	name, value, scaled := bytes.Cut(token, []byte(":"))
	r.space = vowpalSpace[W]{name: name, scaled: scaled}
	if r.first == nil {
		r.first = name
	}
	r.several = r.several || !bytes.Equal(r.first, name)
	if !scaled {
		return at + len(token), nil
	}
	scale, _, want := r.parseWeight(value, wantNumber)
	if want == "a finite weight" {
		want = "a finite scale of the namespace"
	}
	if want != "" {
		return at, r.syntaxError(at+len(name)+1, want, value)
	}
	r.space.scale = scale
	return at + len(token), nil
}

// feature reads the name:value or name that starts at a position, and returns the position after
// it.
func (r *vowpalReader[W]) feature(line []byte, at int) (int, *SyntaxError) {
	token := tokenTo(line, at)
	name, value, hasValue := bytes.Cut(token, []byte(":"))
	if len(name) == 0 {
		return at, r.syntaxError(at, "a name before the colon", token)
	}
	weight := W(1)
	if hasValue {
		var want string
		if weight, _, want = r.parseWeight(value, wantNumber); want != "" {
			return at, r.syntaxError(at+len(name)+1, want, value)
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

// index returns the index of a feature name.
func (r *vowpalReader[W]) index(name []byte, at int) (uint64, *SyntaxError) {
	index, end, ok := scanIndex(name, 0)
	if end < len(name) {
		r.key = append(append(append(r.key[:0], r.space.name...), '^'), name...)
		return xxhash.Sum64(r.key), nil
	}
	if !ok || index < r.options.Base {
		return 0, r.syntaxError(at, r.wantIndex(), name)
	}
	r.numbered = append(r.numbered, numberedFeature{index - r.options.Base, r.space.name, at})
	return index - r.options.Base, nil
}

// numberedFeature is a feature whose name is a number.
type numberedFeature struct {
	index     uint64
	namespace []byte
	place     int
}

// numberedTwice returns an error if a number occurs in two namespaces of the line.
func (r *vowpalReader[W]) numberedTwice(line []byte) *SyntaxError {
	if !r.several {
		return nil
	}
	slices.SortFunc(r.numbered, func(a, b numberedFeature) int {
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.place, b.place))
	})
	for i, b := range r.numbered[min(1, len(r.numbered)):] {
		if a := r.numbered[i]; a.index == b.index && !bytes.Equal(a.namespace, b.namespace) {
			want := fmt.Sprintf("index %d in one namespace only, and it is in %q too", b.index+r.options.Base, syntax.Clip(a.namespace))
			return r.syntaxError(b.place, want, tokenTo(line, b.place))
		}
	}
	return nil
}
