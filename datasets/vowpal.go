package datasets

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/syntax"
)

// vowpalReader reads Vowpal Wabbit text. It allocates only for lines longer than any line before.
type vowpalReader[W Weight] struct {
	lineReader[W]
	space vowpalSpace[W]
	key   []byte // namespace^name, the text to hash
	twice numbered
}

// vowpalSpace is the current namespace.
type vowpalSpace[W Weight] struct {
	name   []byte
	number int // number of the namespace in the line; a repeated namespace keeps its number
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
	r.twice.begin()
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
	r.space = vowpalSpace[W]{name: name, number: r.twice.namespace(name), scaled: scaled}
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
	r.twice.add(index-r.options.Base, r.space.number, at)
	return index - r.options.Base, nil
}

// numberedTwice returns an error if a number occurs in two namespaces of the line.
func (r *vowpalReader[W]) numberedTwice(line []byte) *SyntaxError {
	a, b, found := r.twice.find()
	if !found {
		return nil
	}
	index, _, _ := scanIndex(line, b.place)
	want := "index " + strconv.FormatUint(index, 10) + " in one namespace only, and it is in " + strconv.Quote(syntax.Clip(r.twice.names[a.namespace])) + " too"
	return r.syntaxError(b.place, want, tokenTo(line, b.place))
}

// numbered finds numbers that occur in two namespaces of a line. It costs nothing for a line with
// one namespace.
type numbered struct {
	names [][]byte // distinct namespaces
	list  []numberedFeature
}

// numberedFeature is a feature whose name is a number.
type numberedFeature struct {
	index     uint64
	namespace int
	place     int
}

func (n *numbered) begin() { n.names, n.list = n.names[:0], n.list[:0] }

// namespace returns the position of a namespace in names, adding the name if it is new.
func (n *numbered) namespace(name []byte) int {
	for i, other := range n.names {
		if bytes.Equal(name, other) {
			return i
		}
	}
	n.names = append(n.names, name)
	return len(n.names) - 1
}

func (n *numbered) add(index uint64, namespace, place int) {
	n.list = append(n.list, numberedFeature{index, namespace, place})
}

// find returns two features with the same number in different namespaces, in line order.
func (n *numbered) find() (a, b numberedFeature, found bool) {
	if len(n.names) < 2 {
		return a, b, false
	}
	slices.SortFunc(n.list, func(a, b numberedFeature) int {
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.place, b.place))
	})
	for i := 1; i < len(n.list); i++ {
		if a, b = n.list[i-1], n.list[i]; a.index == b.index && a.namespace != b.namespace {
			return a, b, true
		}
	}
	return a, b, false
}
