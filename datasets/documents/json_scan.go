package documents

import (
	"bytes"
	"encoding/hex"
	"math/bits"
	"slices"
	"unicode/utf8"

	"simhashkit/asm/classes"
	"simhashkit/internal/pieces"
)

// jsonScan finds the fields of a line of JSON many times as fast as the library, in masks of the
// bytes that mean something within strings. It takes JSON as the library does or not at all: all
// errors, and what is unusual, are left to the library.
type jsonScan struct {
	line     []byte
	masks    [16]classes.Block
	from, to int    // the masks are those of line[from:to]
	others   uint64 // any bit says that a byte before to is not ASCII
	fields   *[3]jsonField
}

var stringTable = classes.NewTable([3]string{classes.Range(0, ' '-1) + `"\`})

// maxScanned is how deep values may be nested.
const maxScanned = 100

// scan finds the fields of a line, and reports whether it is JSON that it knows.
func (s *jsonScan) scan(line []byte, fields *[3]jsonField) bool {
	s.line, s.from, s.to, s.others, s.fields = line, 0, 0, 0, fields
	at, ok := s.object(s.space(0), [3]string{fields[0].path, fields[1].path, fields[2].path}, 1)
	if !ok || s.space(at) < len(line) {
		return false
	}
	for s.to < len(line) {
		s.fill()
	}
	return s.others == 0 || utf8.Valid(line)
}

// fill makes the next masks.
func (s *jsonScan) fill() {
	s.from, s.to = s.to, min(s.to+len(s.masks)*classes.BlockSize, len(s.line))
	masks := s.masks[:classes.Blocks(s.to-s.from)]
	classes.Masks(masks, s.line[s.from:s.to], stringTable)
	for i := range masks {
		s.others |= masks[i][3]
	}
}

// special returns where the next quote, backslash or control character is, from a position on.
func (s *jsonScan) special(at int) int {
	for at < len(s.line) {
		for at >= s.to {
			s.fill()
		}
		i := at - s.from
		if mask := s.masks[i/classes.BlockSize][0] >> (i % classes.BlockSize); mask != 0 {
			return at + bits.TrailingZeros64(mask)
		}
		at += classes.BlockSize - i%classes.BlockSize
	}
	return len(s.line)
}

// space returns where white space ends.
func (s *jsonScan) space(at int) int {
	for at < len(s.line) && (s.line[at] == ' ' || s.line[at] == '\t' || s.line[at] == '\r') {
		at++
	}
	return at
}

// is reports whether a byte is at a position.
func (s *jsonScan) is(at int, b byte) bool { return at < len(s.line) && s.line[at] == b }

// object reads an object, in which fields are looked for by what is left of their paths, and returns
// where it ends.
func (s *jsonScan) object(at int, paths [3]string, depth int) (end int, ok bool) {
	if !s.is(at, '{') || depth > maxScanned {
		return at, false
	}
	if at = s.space(at + 1); s.is(at, '}') {
		return at + 1, true
	}
	for ; ; at = s.space(at + 1) {
		name := at
		if at, ok = s.string(at); !ok || bytes.IndexByte(s.line[name:at], '\\') >= 0 {
			return at, false
		}
		here, within, _ := match(s.line[name:at], paths) // without escapes it has no error
		if at = s.space(at); !s.is(at, ':') {
			return at, false
		}
		at = s.space(at + 1)
		switch {
		case here != [3]bool{}:
			at, ok = s.wanted(at, here, depth)
		case within != [3]string{} && s.is(at, '{'):
			at, ok = s.object(at, within, depth+1)
		default:
			at, ok = s.value(at, depth)
		}
		if !ok {
			return at, false
		}
		if at = s.space(at); !s.is(at, ',') {
			return at + 1, s.is(at, '}')
		}
	}
}

// wanted reads the value of a field, and leaves that of several to the library.
func (s *jsonScan) wanted(at int, here [3]bool, depth int) (end int, ok bool) {
	which := slices.Index(here[:], true)
	f := &s.fields[which]
	switch {
	case slices.Contains(here[which+1:], true):
		return at, false
	case s.is(at, '"'):
		f.times++
		return s.text(at, f)
	}
	if end, ok = s.value(at, depth); !ok {
		return end, false
	}
	value := s.line[at:end]
	switch isNumber := value[0] == '-' || value[0]-'0' <= 9; {
	case f.any && value[0] == 'n':
		f.value = nil
	case f.any:
		f.value = value
	case f.numbers && isNumber:
		f.value, f.number = value, true
		f.times++
	default:
		return end, false
	}
	return end, true
}

// value passes over a value, which is nested in others.
func (s *jsonScan) value(at, depth int) (end int, ok bool) {
	if at == len(s.line) {
		return at, false
	}
	switch s.line[at] {
	case '"':
		return s.string(at)
	case '{':
		return s.object(at, [3]string{}, depth+1)
	case '[':
		return s.array(at, depth+1)
	case 't':
		return s.literal(at, "true")
	case 'f':
		return s.literal(at, "false")
	case 'n':
		return s.literal(at, "null")
	}
	return s.number(at)
}

func (s *jsonScan) array(at, depth int) (end int, ok bool) {
	if at = s.space(at + 1); s.is(at, ']') {
		return at + 1, true
	}
	for ; depth <= maxScanned; at = s.space(at + 1) {
		if at, ok = s.value(at, depth); !ok {
			return at, false
		}
		if at = s.space(at); !s.is(at, ',') {
			return at + 1, s.is(at, ']')
		}
	}
	return at, false
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

// digits returns where a run of digits ends, which has one at least.
func (s *jsonScan) digits(at int) (end int, ok bool) {
	for end = at; end < len(s.line) && s.line[end]-'0' <= 9; {
		end++
	}
	return end, end > at
}

// string passes over a string.
func (s *jsonScan) string(at int) (end int, ok bool) {
	if !s.is(at, '"') {
		return at, false
	}
	for at = s.special(at + 1); s.is(at, '\\'); {
		_, size := escaped(s.line[at:])
		if size == 0 {
			return at, false
		}
		at = s.special(at + size)
	}
	return at + 1, s.is(at, '"')
}

// copiedAtOnce is how many bytes are copied from between escapes, if they are fewer.
const copiedAtOnce = 32

// text reads the string of a field: bytes of the line where nothing is escaped.
func (s *jsonScan) text(at int, f *jsonField) (end int, ok bool) {
	from := at + 1
	if at = s.special(from); s.is(at, '"') {
		f.value = s.line[from:at:at]
		return at + 1, true
	}
	unquoted, n := f.room(len(s.line)-from+copiedAtOnce), 0
	for ; at < len(s.line); at = s.special(at) {
		i := at - s.from
		low := at - i%classes.BlockSize
		mask := s.masks[i/classes.BlockSize][0] >> (at - low) << (at - low)
		for at = low + classes.BlockSize; mask != 0; {
			special := low + bits.TrailingZeros64(mask)
			if special-from <= copiedAtOnce && from+copiedAtOnce <= len(s.line) {
				*(*[copiedAtOnce]byte)(unquoted[n:]) = *(*[copiedAtOnce]byte)(s.line[from:])
			} else {
				copy(unquoted[n:], s.line[from:special])
			}
			n += special - from
			if s.line[special] == '"' {
				f.unquoted, f.value = unquoted, unquoted[:n:n]
				return special + 1, true
			}
			r, size := escaped(s.line[special:])
			if size == 0 {
				return special, false
			}
			if n++; r < utf8.RuneSelf {
				unquoted[n-1] = byte(r)
			} else {
				n += utf8.EncodeRune(unquoted[n-1:], r) - 1
			}
			from = special + size
			mask = mask >> (from - low) << (from - low)
			at = max(at, from)
		}
	}
	return at, false
}

// room returns memory for the value of a string that is not longer.
func (f *jsonField) room(most int) []byte {
	if cap(f.unquoted) > pieces.Kept && most < cap(f.unquoted)/4 {
		f.unquoted = nil
	}
	f.unquoted = slices.Grow(f.unquoted[:0], most)
	return f.unquoted[:cap(f.unquoted)]
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped returns the character that a text begins with as an escape, and the size of that: 0 of
// what is none, and of surrogates.
func escaped(text []byte) (r rune, size int) {
	if len(text) > 1 && text[0] == '\\' {
		if b := escapes[text[1]]; b != 0 {
			return rune(b), 2
		}
	}
	return escapedCode(text)
}

func escapedCode(text []byte) (r rune, size int) {
	var code [2]byte
	if len(text) < 6 || string(text[:2]) != `\u` {
		return 0, 0
	}
	if _, err := hex.Decode(code[:], text[2:6]); err != nil || code[0]&0xF8 == 0xD8 {
		return 0, 0
	}
	return rune(code[0])<<8 | rune(code[1]), 6
}
