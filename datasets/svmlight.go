package datasets

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"simhashkit/datasets/syntax"
)

// svmlightReader reads svmlight text; the constant SVMLight describes the format. It allocates only
// for lines longer than all before.
type svmlightReader[W Weight] struct{ lineReader[W] }

func newSVMLightReader[W Weight](source io.Reader, options ReadOptions) *svmlightReader[W] {
	r := &svmlightReader[W]{newLineReader[W](source, options, `svmlight lines such as "1 3:0.5 7:2 # id"`)}
	r.next, r.parse = r.nextLine, r.parseLine
	return r
}

func (r *svmlightReader[W]) parseLine(line []byte) (found bool, bad *SyntaxError) {
	r.begin(r.lines.Number())
	body, at := line, skipMarks(line)
	if hash := bytes.IndexByte(line, '#'); hash >= 0 {
		body = line[:hash]
		if id := trimSpace(line[hash+1:]); len(id) > 0 {
			r.row.ID = id
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
		bad = r.sumLine(body)
	}
	return bad == nil, bad
}

// head reads the label and the qid, if there are any, and returns where they end.
func (r *svmlightReader[W]) head(body []byte, at int) (int, *SyntaxError) {
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

// feature reads the index:value that starts at a position and returns where it ends.
func (r *svmlightReader[W]) feature(body []byte, at int) (int, *SyntaxError) {
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

// notFeature describes a token that is not index:value. It names the most common mistakes.
func (r *svmlightReader[W]) notFeature(body []byte, at int) *SyntaxError {
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
	_, end, _ := scanIndex(text, 0)
	return end > 0 && end == len(text)
}

// appendSVMLight appends label index:weight index:weight ... # id
func appendSVMLight[W Weight](line []byte, row *Row[W]) ([]byte, error) {
	if !svmlightLabel(row.Label) {
		return line, fmt.Errorf("label %q is not one printable token without # and colon", syntax.Clip(row.Label))
	}
	if !svmlightID(row.ID) {
		return line, fmt.Errorf("id %q has line breaks, or white space at its ends", syntax.Clip(row.ID))
	}
	if len(row.Label) == 0 {
		line = append(line, '0')
	}
	line = append(line, row.Label...)
	kind := kindOf[W]()
	for i, index := range row.Indices {
		line = strconv.AppendUint(append(line, ' '), index, 10)
		line = append(line, ':')
		if row.Weights == nil {
			line = append(line, '1')
			continue
		}
		line = appendWeight(line, kind, row.Weights[i])
	}
	if len(row.ID) > 0 {
		line = append(append(line, " # "...), row.ID...)
	}
	return line, nil
}

// svmlightLabel reports whether the format can hold a label.
func svmlightLabel(label []byte) bool {
	return !bytes.ContainsAny(label, " #:") && printable(label)
}

// svmlightID reports whether the format can hold an id.
func svmlightID(id []byte) bool {
	return len(trimSpace(id)) == len(id) && bytes.IndexByte(id, '\n') < 0
}
