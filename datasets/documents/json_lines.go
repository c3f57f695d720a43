package documents

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"simhashkit/internal/looks"
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
			if err := c.passOver(d.Record); err != nil {
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
	for at < len(line) && (line[at] == ' ' || line[at] == '\t' || line[at] == '\r') {
		at++
	}
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
		bad.Like = looks.Line(line)
	}
	if bad.Like == "JSON" {
		bad.Like = "a JSON array, which jq -c '.[]' converts"
	}
	return RecordError{bad}
}
