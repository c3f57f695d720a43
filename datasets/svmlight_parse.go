package datasets

import (
	"bytes"
	"math"
	"strconv"
)

const byteOrderMark = "\xef\xbb\xbf"

// isSpace tells the white space of ASCII.
func isSpace(b byte) bool { return b == ' ' || b-'\t' <= '\r'-'\t' }

// skipSpace returns the position of the first byte from at on that is not white space.
func skipSpace(text []byte, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

// tokenAt returns the run of non-space bytes that starts at a position.
func tokenAt(text []byte, at int) []byte {
	end := at
	for end < len(text) && !isSpace(text[end]) {
		end++
	}
	return text[at:end]
}

// parse reads one line into r.row. It returns false when the line holds no vector.
func (r *SVMLightReader[W]) parse(line []byte) (found bool, bad *SyntaxError) {
	row := &r.row
	r.begin()
	body, at := line, 0
	for bytes.HasPrefix(line[at:], []byte(byteOrderMark)) { // several when files were joined
		at += len(byteOrderMark)
	}
	if hash := bytes.IndexByte(line, '#'); hash >= 0 {
		body = line[:hash]
		if id := trimSpace(line[hash+1:]); len(id) > 0 {
			row.ID = id
		}
	}
	if at = skipSpace(body, at); at == len(body) {
		return false, nil
	}
	at, bad = r.head(body, at)
	for bad == nil {
		if at = skipSpace(body, at); at == len(body) {
			break
		}
		at, bad = r.feature(body, at)
	}
	if bad == nil {
		bad = r.sum(body)
	}
	return bad == nil, bad
}

func trimSpace(text []byte) []byte {
	text = text[skipSpace(text, 0):]
	for len(text) > 0 && isSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

// head reads the label and the qid, if there are any, and returns where they end.
func (r *SVMLightReader[W]) head(body []byte, at int) (int, *SyntaxError) {
	if token := tokenAt(body, at); bytes.IndexByte(token, ':') < 0 {
		if !printable(token) {
			return at, r.syntaxError(at, wantLabel, token)
		}
		r.row.Label = token
		at = skipSpace(body, at+len(token))
	}
	if token := tokenAt(body, at); bytes.HasPrefix(token, []byte("qid:")) {
		if _, err := strconv.ParseInt(string(token[len("qid:"):]), 10, 64); err != nil {
			return at, r.syntaxError(at, "a whole number after qid:", token)
		}
		at += len(token)
	}
	return at, nil
}

// printable refuses control characters, so that a binary file is not taken for a label, and a byte
// order mark at the start, which would be lost when the label is written to the start of a line and
// read again.
func printable(label []byte) bool {
	if bytes.HasPrefix(label, []byte(byteOrderMark)) {
		return false
	}
	for _, b := range label {
		if b < ' ' || b == 0x7f {
			return false
		}
	}
	return true
}

// feature reads the index:value that starts at a position and returns where it ends.
func (r *SVMLightReader[W]) feature(body []byte, at int) (int, *SyntaxError) {
	index, i, ok := scanIndex(body, at)
	if i == at || i == len(body) || body[i] != ':' {
		return at, r.notFeature(body, at)
	}
	if !ok || index < r.options.Base {
		return at, r.syntaxError(at, r.wantIndex(), body[at:i])
	}
	value := i + 1
	number, end, ok := scanDecimal(body, value)
	if !ok || end < len(body) && !isSpace(body[end]) {
		return at, r.notFeature(body, at)
	}
	weight, zero, want := convertWeight[W](r.kind, &number, body[value:end])
	if want != "" {
		return at, r.syntaxError(value, want, body[value:end])
	}
	r.anyFeature = true
	if !zero {
		r.add(index-r.options.Base, weight, at)
	}
	return end, nil
}

// notFeature says what is wrong with a token that is no index:value: the commonest slips by name.
func (r *SVMLightReader[W]) notFeature(body []byte, at int) *SyntaxError {
	token := tokenAt(body, at)
	index, value, colon := bytes.Cut(token, []byte(":"))
	if colon && len(index) > 1 && index[0] == '-' && onlyDigits(index[1:]) {
		return r.syntaxError(at, r.wantIndex(), index)
	}
	if colon && onlyDigits(index) && notFinite(value) {
		return r.syntaxError(at+len(index)+1, "a finite weight", value)
	}
	return r.syntaxError(at, wantFeature, token)
}

func onlyDigits(text []byte) bool {
	for _, b := range text {
		if b-'0' > 9 {
			return false
		}
	}
	return len(text) > 0
}

// notFinite tells the words for infinity and NaN.
func notFinite(text []byte) bool {
	if len(text) > len("+infinity") {
		return false
	}
	f, err := strconv.ParseFloat(string(text), 64)
	return err == nil && (math.IsInf(f, 0) || math.IsNaN(f))
}
