package datasets

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Format is a file format for vectors.
type Format string

// Values of all formats are decimal numbers, or those of arrays. As float32 and float64 they are
// rounded to the nearest; as int32 and int64 they must be whole ("3.0" and "3e2" are, "3.5" is not)
// and fit. Features with value 0, which includes floats too small for the type, are dropped.
// Repeated indices are summed in the order of the source, the row comes out in ascending order, and
// sums that are 0 are dropped. Infinite and NaN values and sums are errors.
const (
	// SVMLight is the text of svmlight and libsvm. A line is
	//
	//	label qid:5 index:value index:value ... # id
	//
	// The label is optional: a first token without a colon, kept as text, such as -1 or, with
	// several labels, 1,7. A qid: (query number of ranking data) after it must be a whole number
	// and is otherwise ignored. Indices are whole numbers from the base to 2^64-1, in any order.
	// What follows # is the id. Blank lines and lines that start with # are skipped; CRLF and a
	// byte order mark at the start of a line are fine.
	SVMLight Format = "svmlight"

	// Vowpal is the text of Vowpal Wabbit. A line is
	//
	//	label importance base 'tag|namespace:scale name:value name ... |namespace ...
	//
	// The label is optional and kept as text; importance, base and what other kinds of labels have
	// there must be numbers and are otherwise ignored, since they say how much to learn from a
	// line. The tag is the id: what begins with an apostrophe, or touches the first bar, as Vowpal
	// Wabbit has it. A namespace touches its bar; without one the features are in that of no name.
	// A name without a value has the value 1, and the namespace's scale is multiplied into all of
	// its values. There are no comments.
	//
	// A name that is a whole number is the index, as it is written, whatever its namespace is: so
	// it is in data sets that others have numbered. The same number in two namespaces of a line is
	// an error, since features that differ would become one. Any other name is hashed: its index is
	// XXH64, seed 0, of the namespace, a ^ and the name, such as "user^name" or "^name" (Vowpal
	// Wabbit itself has fewer bits, 18 unless told otherwise, and features that collide).
	Vowpal Format = "vw"

	// MatrixMarket is the coordinate format of Matrix Market, with real, integer or pattern entries
	// (a pattern's are 1), general, symmetric or skew-symmetric. Rows and columns count from 1
	// there, and indices from 0. All rows of the matrix are vectors, those without entries too;
	// they have no labels and no ids. Rows that are not in order, and symmetric matrices, are held
	// in memory, some 32 bytes an entry.
	MatrixMarket Format = "mtx"

	// NPZ is what scipy.sparse.save_npz writes in compressed sparse row form (CSR). Values may be
	// bool, integers of any width, float32 or float64. Rows have no labels and no ids.
	NPZ Format = "npz"
)

// Formats lists the formats.
func Formats() []Format { return []Format{SVMLight, Vowpal, MatrixMarket, NPZ} }

// File describes a file of the format in words.
func (f Format) File() string {
	switch f {
	case Vowpal:
		return "Vowpal Wabbit file"
	case MatrixMarket:
		return "Matrix Market file"
	case NPZ:
		return "SciPy .npz file"
	}
	return "svmlight file"
}

// endings are the file name endings of the formats.
var endings = map[string]Format{
	".svm": SVMLight, ".svmlight": SVMLight, ".libsvm": SVMLight, ".vw": Vowpal, ".mtx": MatrixMarket, ".mm": MatrixMarket, ".npz": NPZ,
}

// FormatOf returns the format by a file's name, ignoring an ending for compression.
func FormatOf(name string) (Format, error) {
	for _, packed := range []string{".gz", ".zst", ".bz2"} {
		name = strings.TrimSuffix(name, packed)
	}
	ending := strings.ToLower(filepath.Ext(name))
	format, ok := endings[ending]
	if !ok {
		return "", fmt.Errorf("datasets: %s: expected a name that ends in .svm, .vw, .mtx or .npz, before .gz or .zst", name)
	}
	return format, nil
}

// ParseFormat reads a format's name.
func ParseFormat(name string) (Format, error) {
	if slices.Contains(Formats(), Format(name)) {
		return Format(name), nil
	}
	return "", fmt.Errorf("datasets: unknown format %q; expected one of %q", name, Formats())
}

// recognized is how many bytes of a file decide its format.
const recognized = 4096

// recognize returns the format of a stream by its first bytes. The default is svmlight, whose
// reader describes what else the stream looks like.
func recognize(start []byte) Format {
	switch {
	case bytes.HasPrefix(start, []byte("PK\x03\x04")) || bytes.HasPrefix(start, []byte("PK\x05\x06")):
		return NPZ
	}
	for bytes.HasPrefix(start, []byte(byteOrderMark)) {
		start = start[len(byteOrderMark):]
	}
	if len(start) >= len(marketMagic) && strings.EqualFold(string(start[:len(marketMagic)]), marketMagic) {
		return MatrixMarket
	}
	line, _, _ := bytes.Cut(start[skipSpace(start, 0):], []byte("\n"))
	if looksVowpal(line) {
		return Vowpal
	}
	return SVMLight
}

// looksVowpal reports whether a line is in the format of Vowpal Wabbit. It could also be a table
// with bars, JSON, or svmlight with a bar in its id.
func looksVowpal(line []byte) bool {
	line = trimSpace(line)
	head, _, ok := bytes.Cut(line, []byte("|"))
	if !ok || len(line) == 0 || strings.IndexByte("{[<", line[0]) >= 0 || bytes.HasSuffix(line, []byte("|")) && len(head) == 0 && len(line) > 1 {
		return false
	}
	return bytes.IndexByte(head, '#') < 0
}
