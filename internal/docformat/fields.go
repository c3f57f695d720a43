package docformat

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"simhashkit/internal/syntax"
)

// JSONFields describes the fields of the first objects in JSON lines. Paths are written as in
// documents.Options.Text.
type JSONFields struct {
	Objects int      // number of complete objects, at most 100
	Strings []string // paths of the fields with strings or null; the field with the most text first
	ID      bool     // an object has a number or a string in the field "id"

	lengths map[string]int  // of all strings in a field
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
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(start, ByteOrderMark)))
	decoder.UseNumber() // accepts numbers of any size
	for ; f.Objects < inspectedObjects; f.Objects++ {
		var object map[string]any
		if decoder.Decode(&object) != nil || object == nil { // reading the file reports errors
			break
		}
		f.add(object, "", 0)
	}
	for path := range f.lengths {
		f.Strings = append(f.Strings, path)
	}
	slices.SortFunc(f.Strings, func(a, b string) int {
		return cmp.Or(f.lengths[b]-f.lengths[a], strings.Compare(a, b))
	})
	return f
}

// add adds a value and the fields in it.
func (f *JSONFields) add(value any, path string, depth int) {
	text, isText := value.(string)
	_, isNumber := value.(json.Number)
	f.ID = f.ID || path == "id" && (isText || isNumber)
	if isText || value == nil {
		f.lengths[path] += len(text)
		if value == nil {
			f.open[path] = true
		}
		return
	}
	f.others[path] = true
	if depth == inspectedDepth {
		return
	}
	switch v := value.(type) {
	case []any:
		if len(v) == 0 {
			f.open[path] = true
		}
		for _, element := range v {
			f.add(element, path+"[]", depth+1)
		}
	case map[string]any:
		for name, field := range v {
			f.add(field, strings.TrimPrefix(path+"."+name, "."), depth+1)
		}
	}
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

// judged is the number of records that TextColumn inspects.
const judged = 100

// TextColumn returns the column with the texts of a CSV or TSV file, given the first bytes of the
// file. It is the column "text", or else the only column with long strings. TextColumn returns ""
// if no column is obvious, or if the first line does not look like a header. It also reports
// whether there is a column "id".
func TextColumn(start []byte, format string) (text string, id bool) {
	rows := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(start, ByteOrderMark)))
	if format == TSV {
		rows.Comma = '\t'
	}
	names, err := rows.Read()
	if err != nil {
		return "", false
	}
	id = slices.Contains(names, "id")
	if slices.Contains(names, DefaultText) {
		return DefaultText, id
	}
	lengths := make([]int, len(names))
	records := 0
	for ; records < judged; records++ {
		values, err := rows.Read()
		if err != nil { // including a truncated last record
			break
		}
		for i, value := range values {
			lengths[i] += len(value)
		}
	}
	if len(names) == 1 && syntax.LikeLine([]byte(names[0])) != "" {
		return "", id
	}
	longest, second := -1, 0
	for i, name := range names {
		if _, err := strconv.ParseFloat(name, 64); err == nil || name == "" {
			return "", id
		}
		switch {
		case name == "id":
		case longest < 0 || lengths[i] > lengths[longest]:
			if longest >= 0 {
				second = lengths[longest]
			}
			longest = i
		default:
			second = max(second, lengths[i])
		}
	}
	// If a name is as long as the values, the first line is probably data, not a header.
	if longest < 0 || lengths[longest] < 3*max(second, 1) || lengths[longest] < 3*records*len(names[longest]) {
		return "", id
	}
	if _, isNumber := ColumnNumber(names[longest]); isNumber { // #1 would select a column by number
		return "", id
	}
	return names[longest], id
}

// ColumnNumber returns the position, from 0, of a column such as #1. It returns -1 and false for
// "".
func ColumnNumber(field string) (int, bool) {
	digits, ok := strings.CutPrefix(field, "#")
	n, err := strconv.Atoi(digits)
	return n - 1, ok && err == nil && n >= 1
}
