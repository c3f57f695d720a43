package documents

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"simhashkit/internal/syntax"
)

// jsonLines reads a JSON object from each line. It validates the whole line, not only the requested
// fields.
type jsonLines struct {
	lineCutter
	scan    jsonScan
	fields  [3]jsonField // text, id and value
	otherID bool         // the second field is not requested; see Document.OtherID
	read    bool         // a record was read, so the file is JSON lines
	want    func(record int) bool
	record  int // number of the next record, for want
}

// jsonField is a field to find in each line.
type jsonField struct {
	path    string // "" if no field is requested
	numbers bool   // may be a number
	any     bool   // may be any value, or occur several times
	list    bool   // is in lists, whose strings are joined
	value   []byte // part of the line, of its decoded strings or of joined
	joined  []byte // buffer for the strings of lists
	number  bool
	null    bool
	times   int // number of occurrences in this line
}

func newJSONLines(r io.Reader, name string, options *Options) *jsonLines {
	c := &jsonLines{lineCutter: newLineCutter(r, name, options)}
	if options.OnError == nil {
		c.want = options.Want
	}
	c.fields = [3]jsonField{{path: options.text(), list: isList(options.text())}, {path: options.ID, numbers: true}, {path: options.Value, any: true}}
	if options.ID == "" && !isBelow(options.text(), defaultID) && !isBelow(options.Value, defaultID) {
		c.fields[1] = jsonField{path: defaultID, any: true}
		c.otherID = true
	}
	return c
}

// isBelow reports whether a path is a field or goes through it.
func isBelow(path, field string) bool {
	rest, ok := strings.CutPrefix(path, field)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

func (c *jsonLines) next(d *Document) error {
	for {
		line, err := c.line(d)
		if err != nil {
			return err
		}
		if len(bytes.TrimLeft(line, " \t\r")) == 0 {
			if err := c.pass.over(d.Record); err != nil {
				return err
			}
			continue
		}
		if c.record++; c.want != nil && !c.want(c.record-1) {
			return nil
		}
		if c.charset != nil {
			if err := c.charset.checkText(line, c.name, d.Line, c.column(line, 0)); err != nil {
				return err
			}
		}
		if err := c.parse(line); err != nil {
			return err
		}
		c.read = true
		d.Text, d.ID, d.NumericID = c.fields[0].value, c.fields[1].value, c.fields[1].number
		if c.otherID {
			d.OtherID, d.ID = len(d.ID) > 0 && d.ID[0] != '{' && d.ID[0] != '[', nil
		}
		d.Value = c.fields[2].value
		d.NoText = c.fields[0].times == 0 || c.fields[0].null
		return nil
	}
}

// parse finds the fields of a line.
func (c *jsonLines) parse(line []byte) error {
	for i := range c.fields {
		f := &c.fields[i]
		f.value, f.joined, f.number, f.null, f.times = nil, f.joined[:0], false, false, 0
	}
	if !c.scan.scan(line, &c.fields) {
		if c.scan.want != "" {
			return c.malformed(line, c.scan.at, c.scan.want, c.scan.value)
		}
		return c.invalid(line)
	}
	for i := range c.fields {
		f := &c.fields[i]
		if f.path != "" && f.times > 1 && !f.any && !f.list {
			return c.malformed(line, 0, fmt.Sprintf("the field %q once", f.path), line)
		}
	}
	return nil
}

// invalid returns the error of a line that is not a JSON object, as the JSON library finds it.
func (c *jsonLines) invalid(line []byte) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(line), jsontext.AllowDuplicateNames(true))
	if decoder.PeekKind() != '{' {
		return c.malformed(line, 0, "one JSON object per line", line)
	}
	err := decoder.SkipValue()
	at := int(decoder.InputOffset())
	if err == nil {
		_, err = decoder.ReadToken()
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		return c.syntactic(line, syntactic)
	}
	at = c.scan.space(at)
	return c.malformed(line, at, "one JSON object per line", line[at:])
}

// isList reports whether a path goes through lists, as in messages[].content.
func isList(path string) bool { return strings.Contains(path, "[]") }

// match reports which paths end at a name, and returns the rest of the paths that continue below
// it.
func match(name []byte, paths [3]string) (here [3]bool, within [3]string) {
	for i, path := range paths {
		if path == "" {
			continue
		}
		if path == string(name) {
			here[i] = true
		} else if strings.HasPrefix(path, string(name)) {
			if rest := path[len(name):]; rest[0] == '.' {
				within[i] = rest[1:]
			} else if strings.HasPrefix(rest, "[]") {
				within[i] = rest
			}
		}
	}
	return here, within
}

// store stores a decoded string, or another value as written. It returns what the field expects
// instead, or "".
func (f *jsonField) store(kind jsontext.Kind, value []byte) (want string) {
	switch {
	case kind == 'n' && f.list:
		return ""
	case kind == 'n' && f.any:
		f.value = nil
		return ""
	case kind == 'n':
		f.value, f.number, f.null = nil, false, true
	case kind == '"' && f.list:
		if f.times > 0 {
			f.joined = append(f.joined, '\n')
		}
		f.joined = append(f.joined, value...)
		f.value = f.joined
	case kind == '"' || f.any:
		f.value = value
	case kind == '0' && f.numbers:
		f.value, f.number = value, true
	case f.numbers:
		return "a string or a number"
	default:
		return "a string"
	}
	f.times++
	return ""
}

// syntactic returns the error of a line that is not valid JSON.
func (c *jsonLines) syntactic(line []byte, err *jsontext.SyntacticError) error {
	at := min(int(err.ByteOffset), len(line))
	if bad := c.charset.checkText(line, c.name, c.lines.Number(), c.column(line, 0)); bad != nil {
		return bad
	}
	rest := line[at:]
	want := "JSON"
	switch {
	case len(rest) == 0:
		return c.malformed(line, at, "the rest of the object (unexpected end of JSON)", line[max(0, at-quoted):])
	case err.Err != nil && err.Err.Error() == "exceeded max depth": // jsontext does not export it
		want = "JSON nested no deeper than 10,000 objects and arrays"
	case bytes.HasPrefix(rest, []byte(`\u`)):
		want = "a complete character" // an unpaired surrogate
	}
	return c.malformed(line, at, want, rest[:min(len(rest), quoted)])
}

// malformed returns the error of a line. If no record was read before, the error also says what the
// file looks like.
func (c *jsonLines) malformed(line []byte, at int, want string, got []byte) error {
	bad := syntax.New(c.name, c.lines.Number(), c.column(line, at), want, got)
	if !c.read && at == 0 && !bytes.HasPrefix(line, []byte("{")) {
		bad.Like = syntax.LikeLine(line)
	}
	if bad.Like == "JSON" {
		bad.Like = "a JSON array, which jq -c '.[]' converts"
	}
	return RecordError{bad}
}

// jsonScan finds the fields of a JSON line, several times faster than the JSON library would. A
// fuzz test checks that both accept the same lines.
type jsonScan struct {
	line    []byte
	decoded []byte // strings that have escapes
	fields  *[3]jsonField

	// what a field expects instead of the value at a position
	want  string
	at    int
	value []byte
}

// deepestJSON is the maximum nesting depth of values, as in the JSON library.
const deepestJSON = 10_000

// scan finds the fields of a line. It returns false if the line is malformed; want is not "" if it
// is valid JSON up to a value of a type that its field does not expect.
func (s *jsonScan) scan(line []byte, fields *[3]jsonField) bool {
	*s = jsonScan{line: line, decoded: s.decoded[:0], fields: fields}
	if !utf8.Valid(line) {
		return false
	}
	at, ok := s.object(s.space(0), [3]string{fields[0].path, fields[1].path, fields[2].path}, 1)
	return ok && s.space(at) == len(line)
}

// space returns the position of the first byte from at on that is not white space.
func (s *jsonScan) space(at int) int {
	for at < len(s.line) && (s.line[at] == ' ' || s.line[at] == '\t' || s.line[at] == '\r') {
		at++
	}
	return at
}

// is reports whether a byte is at a position.
func (s *jsonScan) is(at int, b byte) bool { return at < len(s.line) && s.line[at] == b }

// object reads an object, finds the fields in it, and returns its end. paths holds the remaining
// path of each field.
func (s *jsonScan) object(at int, paths [3]string, depth int) (end int, ok bool) {
	if !s.is(at, '{') || depth > deepestJSON {
		return at, false
	}
	if at = s.space(at + 1); s.is(at, '}') {
		return at + 1, true
	}
	for ; ; at = s.space(at + 1) {
		name, end, ok := s.string(at)
		if at = s.space(end); !ok || !s.is(at, ':') {
			return at, false
		}
		at = s.space(at + 1)
		here, within := match(name, paths)
		if at, ok = s.below(at, here, within, depth); !ok {
			return at, false
		}
		if at = s.space(at); !s.is(at, ',') {
			return at + 1, s.is(at, '}')
		}
	}
}

// array reads an array, finds the fields in its elements, and returns its end.
func (s *jsonScan) array(at int, paths [3]string, depth int) (end int, ok bool) {
	var here [3]bool
	var within [3]string
	for i, path := range paths {
		if rest, found := strings.CutPrefix(path, "[]"); found {
			here[i], within[i] = rest == "", strings.TrimPrefix(rest, ".")
		}
	}
	if depth > deepestJSON {
		return at, false
	}
	if at = s.space(at + 1); s.is(at, ']') {
		return at + 1, true
	}
	for ; ; at = s.space(at + 1) {
		if at, ok = s.below(at, here, within, depth); !ok {
			return at, false
		}
		if at = s.space(at); !s.is(at, ',') {
			return at + 1, s.is(at, ']')
		}
	}
}

// below reads the value of the fields in here, or a value that contains those of within.
func (s *jsonScan) below(at int, here [3]bool, within [3]string, depth int) (end int, ok bool) {
	switch {
	case here != [3]bool{}:
		return s.wanted(at, here, depth)
	case within != [3]string{} && s.is(at, '{'):
		return s.object(at, within, depth+1)
	case within != [3]string{} && s.is(at, '['):
		return s.array(at, within, depth+1)
	}
	_, end, ok = s.skip(at, depth)
	return end, ok
}

// wanted reads the value of the fields in here.
func (s *jsonScan) wanted(at int, here [3]bool, depth int) (end int, ok bool) {
	value, end, ok := s.skip(at, depth)
	if !ok {
		return end, false
	}
	raw := jsontext.Value(s.line[at:end])
	for i := range here {
		if !here[i] {
			continue
		}
		if want := s.fields[i].store(raw.Kind(), value); want != "" {
			s.want, s.at, s.value = fmt.Sprintf("%s in the field %q", want, s.fields[i].path), at, raw
			return end, false
		}
	}
	return end, true
}

// skip reads a value at a nesting depth. It returns decoded strings, and other values as written.
func (s *jsonScan) skip(at, depth int) (value []byte, end int, ok bool) {
	if at == len(s.line) {
		return nil, at, false
	}
	switch s.line[at] {
	case '"':
		return s.string(at)
	case '{':
		end, ok = s.object(at, [3]string{}, depth+1)
	case '[':
		end, ok = s.array(at, [3]string{}, depth+1)
	case 't':
		end, ok = s.literal(at, "true")
	case 'f':
		end, ok = s.literal(at, "false")
	case 'n':
		end, ok = s.literal(at, "null")
	default:
		end, ok = s.number(at)
	}
	if !ok {
		return nil, end, false
	}
	return s.line[at:end:end], end, true
}

func (s *jsonScan) literal(at int, name string) (end int, ok bool) {
	return at + len(name), bytes.HasPrefix(s.line[at:], []byte(name))
}

func (s *jsonScan) number(at int) (end int, ok bool) {
	if s.is(at, '-') {
		at++
	}
	if s.is(at, '0') {
		at++
	} else if at, ok = s.digits(at); !ok {
		return at, false
	}
	if s.is(at, '.') {
		if at, ok = s.digits(at + 1); !ok {
			return at, false
		}
	}
	if s.is(at, 'e') || s.is(at, 'E') {
		if at++; s.is(at, '+') || s.is(at, '-') {
			at++
		}
		return s.digits(at)
	}
	return at, true
}

// digits skips a run of at least one digit.
func (s *jsonScan) digits(at int) (end int, ok bool) {
	for end = at; end < len(s.line) && s.line[end]-'0' <= 9; {
		end++
	}
	return end, end > at
}

// string returns the decoded string that begins at a position, and its end. Without escapes, the
// string is a slice of the line.
func (s *jsonScan) string(at int) (text []byte, end int, ok bool) {
	if !s.is(at, '"') {
		return nil, at, false
	}
	at++
	begin, first, quote := at, len(s.decoded), s.quote(at)
	for quote >= 0 {
		slash := bytes.IndexByte(s.line[at:quote], '\\')
		switch {
		case slash < 0 && hasControl(s.line[begin:quote]):
			return nil, at, false
		case slash < 0 && at == begin:
			return s.line[begin:quote:quote], quote + 1, true
		case slash < 0:
			s.decoded = append(s.decoded, s.line[at:quote]...)
			return s.decoded[first:len(s.decoded):len(s.decoded)], quote + 1, true
		}
		s.decoded = append(s.decoded, s.line[at:at+slash]...)
		at += slash
		char, size := unescaped(s.line[at:])
		if size == 0 {
			return nil, at, false
		}
		s.decoded = utf8.AppendRune(s.decoded, char)
		if at += size; at > quote { // the quote was escaped
			quote = s.quote(at)
		}
	}
	return nil, at, false
}

// quote returns the position of the next quote from at on, or -1.
func (s *jsonScan) quote(at int) int {
	if i := bytes.IndexByte(s.line[at:], '"'); i >= 0 {
		return at + i
	}
	return -1
}

// unescaped returns the character of the escape at the start of a text, and the size of the escape,
// or of two for a character beyond 16 bits. The size is 0 if there is no valid escape.
func unescaped(text []byte) (char rune, size int) {
	if len(text) >= 2 && text[1] != 'u' {
		if i := strings.IndexByte(`"\/bfnrt`, text[1]); i >= 0 {
			return rune("\"\\/\b\f\n\r\t"[i]), 2
		}
		return 0, 0
	}
	char, size = codeUnit(text)
	if size > 0 && utf16.IsSurrogate(char) {
		low, lowSize := codeUnit(text[size:])
		if char = utf16.DecodeRune(char, low); char == utf8.RuneError || lowSize == 0 {
			return 0, 0
		}
		size += lowSize
	}
	return char, size
}

// codeUnit decodes \u and four hexadecimal digits at the start of a text.
func codeUnit(text []byte) (unit rune, size int) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, 0
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return 0, 0
	}
	return rune(n), 6
}

// hasControl reports whether a text has a control character, which JSON strings must not have.
func hasControl(text []byte) bool {
	const each = 0x0101010101010101
	for ; len(text) >= 8; text = text[8:] {
		if eight := binary.LittleEndian.Uint64(text); (eight-each*' ')&^eight&(each*0x80) != 0 {
			return true
		}
	}
	for _, b := range text {
		if b < ' ' {
			return true
		}
	}
	return false
}
