package documents

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// JSONFields describes the fields of the first objects in JSON lines. Paths are written as in
// Options.Text.
type JSONFields struct {
	Objects int      // number of complete objects, at most 100
	Strings []string // paths of the fields with strings or null; the field with the most text first
	ID      bool     // an object has a number or a string in the field "id"

	lengths map[string]int  // of all strings in a field, as written
	others  map[string]bool // fields with other values
	open    map[string]bool // fields that are null or an empty list, so that anything may be below
}

const (
	inspectedObjects = 100
	inspectedDepth   = 8 // deeper fields are not listed
)

// InspectJSON inspects the objects at the beginning of a file, which may end within an object.
func InspectJSON(start []byte) *JSONFields {
	f := &JSONFields{lengths: map[string]int{}, others: map[string]bool{}, open: map[string]bool{}}
	start = bytes.TrimPrefix(start, byteOrderMark)
	decoder := jsontext.NewDecoder(bytes.NewReader(start), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for f.Objects < inspectedObjects && decoder.PeekKind() == '{' && f.value(decoder, "", 0) == nil {
		f.Objects++
	}
	for path := range f.lengths {
		f.Strings = append(f.Strings, path)
	}
	slices.SortFunc(f.Strings, func(a, b string) int {
		return cmp.Or(f.lengths[b]-f.lengths[a], strings.Compare(a, b))
	})
	return f
}

// value reads a value and stores the fields in it.
func (f *JSONFields) value(decoder *jsontext.Decoder, path string, depth int) error {
	kind := decoder.PeekKind()
	switch {
	case kind == '"' || kind == 'n':
		value, err := decoder.ReadValue()
		if err != nil {
			return err
		}
		length := len(value) - len(`""`)
		if kind == 'n' {
			length, f.open[path] = 0, true
		}
		f.lengths[path] += length
		f.ID = f.ID || path == "id" && kind == '"'
		return nil
	case kind != '{' && kind != '[' || depth == inspectedDepth:
		f.others[path] = true
		f.ID = f.ID || path == "id" && kind == '0'
		return decoder.SkipValue()
	}
	f.others[path] = true
	if _, err := decoder.ReadToken(); err != nil {
		return err
	}
	if kind == '[' && decoder.PeekKind() == ']' {
		f.open[path] = true
	}
	for decoder.PeekKind() != ']' && decoder.PeekKind() != '}' {
		below := path + "[]"
		if kind == '{' {
			name, err := decoder.ReadToken()
			if err != nil {
				return err
			}
			below = strings.TrimPrefix(path+"."+name.String(), ".")
		}
		if err := f.value(decoder, below, depth+1); err != nil {
			return err
		}
	}
	_, err := decoder.ReadToken()
	return err
}

// Length returns the number of bytes of all strings in a field.
func (f *JSONFields) Length(path string) int { return f.lengths[path] }

// Has reports whether an object has a field, or null or an empty list in place of the fields above
// it.
func (f *JSONFields) Has(path string) bool {
	if _, ok := f.lengths[path]; ok || f.others[path] {
		return true
	}
	for above := range f.open {
		if rest, ok := strings.CutPrefix(path, above); ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "[]")) {
			return true
		}
	}
	return false
}
