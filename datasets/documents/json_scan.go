package documents

import (
	"bytes"
	"encoding/hex"
	"math/bits"
	"slices"
	"unicode/utf8"

	"simhashkit/asm/wordscan"
)

// jsonScan finds the fields of a JSON line much faster than the JSON library, with bit masks of the
// special bytes in strings. It accepts only lines that the library accepts, with the same result,
// and leaves errors and unusual lines to the library.
type jsonScan struct {
	line     []byte
	masks    [16]wordscan.Block
	from, to int  // the masks cover line[from:to]
	checked  int  // line[checked:to] is ASCII
	invalid  bool // line[:checked] is not valid UTF-8
	fields   *[3]jsonField
}

var stringTable = wordscan.NewTable([3]string{wordscan.Range(0, ' '-1) + `"\`})

const blockSize = wordscan.BlockSize

// maxScanned is the maximum nesting depth of values.
const maxScanned = 100

// scan finds the fields of a line. It returns false if the library must decode the line.
func (s *jsonScan) scan(line []byte, fields *[3]jsonField) bool {
	s.line, s.fields = line, fields
	s.from, s.to, s.checked, s.invalid = 0, 0, 0, false
	at, ok := s.object(s.space(0), [3]string{fields[0].path, fields[1].path, fields[2].path}, 1)
	if !ok || s.space(at) < len(line) {
		return false
	}
	for s.to < len(line) {
		s.fill()
	}
	return !s.invalid
}

// fill computes the next masks and checks that the non-ASCII bytes they cover are valid UTF-8.
func (s *jsonScan) fill() {
	s.from, s.to = s.to, min(s.to+len(s.masks)*blockSize, len(s.line))
	masks := s.masks[:wordscan.Blocks(s.to-s.from)]
	wordscan.Masks(masks, s.line[s.from:s.to], stringTable)
	first, end := s.to, s.checked
	for i := range masks {
		if others := masks[i][3]; others != 0 {
			low := s.from + i*blockSize
			first, end = min(first, low+bits.TrailingZeros64(others)), low+bits.Len64(others)
		}
	}
	if first = max(first, s.checked); first < end {
		for end < len(s.line) && s.line[end] >= utf8.RuneSelf {
			end++
		}
		s.checked, s.invalid = end, s.invalid || !utf8.Valid(s.line[first:end])
	}
}

// special returns the position of the next quote, backslash or control character from at on.
func (s *jsonScan) special(at int) int {
	for at < len(s.line) {
		for at >= s.to {
			s.fill()
		}
		i := at - s.from
		if mask := s.masks[i/blockSize][0] >> (i % blockSize); mask != 0 {
			return at + bits.TrailingZeros64(mask)
		}
		at += blockSize - i%blockSize
	}
	return len(s.line)
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
		here, within, _ := match(s.line[name:at], paths) // a name without escapes gives no error
		if at = s.space(at); !s.is(at, ':') {
			return at, false
		}
		at = s.space(at + 1)
		switch {
		case here != [3]bool{}:
			at, ok = s.wanted(at, here, depth)
		case within != [3]string{} && s.is(at, '{'):
			at, ok = s.object(at, within, depth+1)
		case within != [3]string{} && s.is(at, '['):
			return at, false // lists are left to the library
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

// wanted reads the value of a requested field. It leaves a value that belongs to several fields to
// the library.
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
	case value[0] == 'n':
		f.value, f.number, f.null = nil, false, true
		f.times++
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

// value skips a value at a nesting depth.
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

// digits skips a run of at least one digit.
func (s *jsonScan) digits(at int) (end int, ok bool) {
	for end = at; end < len(s.line) && s.line[end]-'0' <= 9; {
		end++
	}
	return end, end > at
}

// string skips a string.
func (s *jsonScan) string(at int) (end int, ok bool) {
	if !s.is(at, '"') {
		return at, false
	}
	for at = s.special(at + 1); s.is(at, '\\'); {
		if escaped(s.line, at) != 0 {
			at = s.special(at + 2)
		} else if _, ok := codePoint(s.line[at:]); ok {
			at = s.special(at + 6)
		} else {
			return at, false
		}
	}
	return at + 1, s.is(at, '"')
}

// text reads the string of a field. Without escapes, the value is a slice of the line.
func (s *jsonScan) text(at int, f *jsonField) (end int, ok bool) {
	from := at + 1
	if at = s.special(from); s.is(at, '"') {
		f.value = s.line[from:at:at]
		return at + 1, true
	}
	unquoted := f.room(len(s.line) - from + blockSize)
	n := copy(unquoted, s.line[from:at])
	from = at
	line, low := s.line, at-(at-s.from)%blockSize
	for ; low < len(line); s.fill() {
		for i := (low - s.from) / blockSize; low < s.to; i++ {
			mask := s.masks[i%len(s.masks)][0]
			if from > low {
				mask = mask >> (from - low) << (from - low)
			}
			for ; mask != 0; mask = mask >> (from - low) << (from - low) {
				special := low + bits.TrailingZeros64(mask)
				copyBlock(unquoted[n:], line, from, special)
				n += special - from
				if line[special] == '"' {
					f.unquoted, f.value = unquoted, unquoted[:n:n]
					return special + 1, true
				}
				size := 2
				if b := escaped(line, special); b != 0 {
					unquoted[n] = b
					n++
				} else if r, ok := codePoint(line[special:]); ok {
					n, size = n+utf8.EncodeRune(unquoted[n:], r), 6
				} else {
					return special, false
				}
				from = special + size
			}
			low += blockSize
			if end := min(low, len(line)); from < end {
				copyBlock(unquoted[n:], line, from, end)
				n, from = n+end-from, end
			}
		}
	}
	return len(line), false
}

// copyBlock copies line[from:to], at most one block. It copies a whole block if possible, to avoid
// a branch on the length.
func copyBlock(dst, line []byte, from, to int) {
	if from+blockSize <= len(line) {
		block := *(*[blockSize]byte)(line[from:]) // without a copy, the compiler calls memmove
		*(*[blockSize]byte)(dst) = block
	} else {
		copy(dst, line[from:to])
	}
}

// room returns a buffer for a string of at most that many bytes.
func (f *jsonField) room(most int) []byte {
	f.unquoted = slices.Grow(f.unquoted[:0], most)
	return f.unquoted[:cap(f.unquoted)]
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped returns the byte that a two-byte escape stands for, or 0 if there is no such escape.
func escaped(line []byte, at int) byte {
	if at+1 >= len(line) || line[at] != '\\' {
		return 0
	}
	return escapes[line[at+1]]
}

// codePoint decodes \u and four hexadecimal digits at the start of a text. It rejects surrogates.
func codePoint(text []byte) (r rune, ok bool) {
	var code [2]byte
	if len(text) < 6 || string(text[:2]) != `\u` {
		return 0, false
	}
	if _, err := hex.Decode(code[:], text[2:6]); err != nil || code[0]&0xF8 == 0xD8 {
		return 0, false
	}
	return rune(code[0])<<8 | rune(code[1]), true
}
