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
	decoder *jsontext.Decoder
	source  bytes.Buffer
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
	c.decoder = jsontext.NewDecoder(&c.source)
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
	c.reset()
	if c.scan.scan(line, &c.fields) {
		return c.complete(line)
	}
	c.reset()
	return c.decode(line)
}

// reset clears the fields of the previous line.
func (c *jsonLines) reset() {
	for i := range c.fields {
		f := &c.fields[i]
		f.value, f.joined, f.number, f.null, f.times = nil, f.joined[:0], false, false, 0
	}
}

// pathsOf returns the paths of the fields.
func pathsOf(fields *[3]jsonField) [3]string {
	return [3]string{fields[0].path, fields[1].path, fields[2].path}
}

// decode finds the fields of a line with the JSON library.
func (c *jsonLines) decode(line []byte) error {
	c.source = *bytes.NewBuffer(line)
	// Only the requested fields must be unique.
	c.decoder.Reset(&c.source, jsontext.AllowDuplicateNames(true))
	if c.decoder.PeekKind() != '{' {
		return c.malformed(line, 0, "one JSON object per line", line)
	}
	err := c.object(line, pathsOf(&c.fields))
	if err == nil {
		if _, err = c.decoder.ReadToken(); err == io.EOF {
			return c.complete(line)
		}
		if err == nil {
			at := int(c.decoder.InputOffset()) - 1
			return c.malformed(line, at, "one JSON object per line", line[at:])
		}
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		return c.syntactic(line, syntactic)
	}
	return err
}

// complete checks that the fields of the text and the id were not found twice.
func (c *jsonLines) complete(line []byte) error {
	for i := range c.fields {
		f := &c.fields[i]
		if f.path != "" && f.times > 1 && !f.any && !f.list {
			return c.malformed(line, 0, fmt.Sprintf("the field %q once", f.path), line)
		}
	}
	return nil
}

// object reads an object and finds the fields in it. paths holds the remaining path of each field.
func (c *jsonLines) object(line []byte, paths [3]string) error {
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	for c.decoder.PeekKind() == '"' {
		name, err := c.decoder.ReadValue()
		if err != nil {
			return err
		}
		if name, err = c.unquoted(name); err != nil {
			return err
		}
		here, within := match(name, paths)
		if err := c.below(line, here, within); err != nil {
			return err
		}
	}
	_, err := c.decoder.ReadToken()
	return err
}

// list reads a list and finds the fields in its elements.
func (c *jsonLines) list(line []byte, paths [3]string) error {
	var here [3]bool
	var within [3]string
	for i, path := range paths {
		if rest, ok := strings.CutPrefix(path, "[]"); ok {
			here[i], within[i] = rest == "", strings.TrimPrefix(rest, ".")
		}
	}
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	for c.decoder.PeekKind() != ']' {
		if err := c.below(line, here, within); err != nil {
			return err
		}
	}
	_, err := c.decoder.ReadToken()
	return err
}

// below reads the value of the fields in here, or a value that contains those of within.
func (c *jsonLines) below(line []byte, here [3]bool, within [3]string) error {
	switch kind := c.decoder.PeekKind(); {
	case here != [3]bool{}:
		return c.value(line, here)
	case within != [3]string{} && kind == '{':
		return c.object(line, within)
	case within != [3]string{} && kind == '[':
		return c.list(line, within)
	}
	return c.decoder.SkipValue()
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

// value reads the value of one field, or of several.
func (c *jsonLines) value(line []byte, here [3]bool) error {
	value, err := c.decoder.ReadValue()
	if err != nil {
		return err
	}
	at, kind := int(c.decoder.InputOffset())-len(value), value.Kind()
	value = line[at : at+len(value)] // valid as long as the line is
	text := value
	if kind == '"' {
		if text, err = c.unquoted(value); err != nil {
			return err
		}
	}
	for i := range c.fields {
		if !here[i] {
			continue
		}
		if want := c.fields[i].store(kind, text); want != "" {
			return c.malformed(line, at, fmt.Sprintf("%s in the field %q", want, c.fields[i].path), value)
		}
	}
	return nil
}

// unquoted returns a decoded string.
func (c *jsonLines) unquoted(value jsontext.Value) (jsontext.Value, error) {
	if bytes.IndexByte(value, '\\') < 0 {
		return value[1 : len(value)-1 : len(value)-1], nil
	}
	return jsontext.AppendUnquote(nil, value)
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
