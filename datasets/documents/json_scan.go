package documents

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

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
