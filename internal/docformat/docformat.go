// Package docformat names the formats of documents, and detects formats and fields from the names
// and the first bytes of files.
package docformat

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"simhashkit/internal/syntax"
)

// The names of the formats; see documents.Options.
const (
	Auto    = "auto"
	Lines   = "lines" // one document per line
	JSONL   = "jsonl" // one JSON object per line
	CSV     = "csv"
	TSV     = "tsv"
	Files   = "files" // each file is a document
	Tar     = "tar"   // each file in the archive is a document
	Parquet = "parquet"
)

// Names returns the names of all formats.
func Names() []string { return []string{Auto, Lines, JSONL, CSV, TSV, Files, Tar, Parquet} }

const (
	DefaultText   = "text" // default name of the text field
	StandardInput = "-"    // path that stands for standard input
)

// ParquetSignature begins every Parquet file.
const ParquetSignature = "PAR1"

// ByteOrderMark may begin a text in UTF-8.
var ByteOrderMark = []byte("\ufeff")

// Called describes the formats in messages. It has no Parquet, which is not read from streams.
var Called = map[string]string{
	Lines: "lines of text",
	JSONL: "JSON lines",
	CSV:   "comma-separated values",
	TSV:   "tab-separated values",
	Files: "a text",
	Tar:   "a tar archive",
}

// endings maps file extensions to formats. The extension of a compressed file is removed first.
var endings = map[string]string{
	".jsonl": JSONL, ".ndjson": JSONL, ".json": JSONL,
	".csv": CSV, ".tsv": TSV, ".tab": TSV,
	".txt": Lines,
	".tar": Tar, ".tgz": Tar, ".tbz2": Tar, ".tzst": Tar,
	".parquet": Parquet,
}

// ending returns the extension of a name, in lower case and without the extension of a compressed
// file, which packed reports.
func ending(name string) (ending string, packed bool) {
	name = strings.ToLower(filepath.Base(name))
	for _, extension := range []string{".gz", ".zst", ".bz2"} {
		if rest, ok := strings.CutSuffix(name, extension); ok {
			name, packed = rest, true
		}
	}
	return filepath.Ext(name), packed
}

// OfStream returns the most likely format of a stream. An empty stream counts as JSON lines without
// documents, so any field may be requested.
func OfStream(name string, head []byte) string {
	if syntax.LikeFile(head) == Called[Tar] {
		return Tar
	}
	end, _ := ending(name)
	if format := endings[end]; format != "" && format != Parquet {
		return format
	}
	empty := len(head) == 0
	head = bytes.TrimLeft(bytes.TrimPrefix(head, ByteOrderMark), " \t\r\n")
	if empty || len(head) > 0 && head[0] == '{' {
		return JSONL
	}
	return Lines
}

// IsParquet reports whether a file is Parquet, by its name or its first bytes before decompression.
func IsParquet(path, signature string) bool {
	end, packed := ending(path)
	return strings.HasPrefix(signature, ParquetSignature) || endings[end] == Parquet && !packed
}

// HasRecords reports whether the extension of a file belongs to a format with many documents per
// file: JSON lines, CSV, TSV, tar and Parquet, compressed or not.
func HasRecords(path string) bool {
	end, _ := ending(path)
	return endings[end] != "" && endings[end] != Lines
}

// sourceExtensions are the file name extensions of source code.
var sourceExtensions = strings.Fields(`.asm .c .cc .clj .cpp .cs .css .cu .cxx .dart .el .erl .ex .f90 .fs .go .groovy .h
.hpp .hs .java .jl .js .jsx .kt .lisp .lua .m .mjs .ml .nim .php .pl .proto .ps1 .py .r .rb .rs .s .scala .scss .sh
.sql .sv .swift .tcl .ts .tsx .v .vb .vhd .vue .zig`)

// MostlySource reports whether more than half of the files have a name of source code, such as
// main.go, with or without .gz, .zst or .bz2.
func MostlySource(files []string) bool {
	source := 0
	for _, file := range files {
		if end, _ := ending(file); slices.Contains(sourceExtensions, end) {
			source++
		}
	}
	return 2*source > len(files)
}

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
