package datasets

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Format is a format of files of vectors.
type Format string

// The formats.
const (
	SVMLight     Format = "svmlight"
	Vowpal       Format = "vw"  // Vowpal Wabbit's text
	MatrixMarket Format = "mtx" // in coordinate form
	NPZ          Format = "npz" // of scipy.sparse.save_npz, in CSR form
)

// Formats lists the formats.
func Formats() []Format { return []Format{SVMLight, Vowpal, MatrixMarket, NPZ} }

// File says in words what a file of the format is.
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

// endings are those of names that show the format.
var endings = map[string]Format{
	".svm": SVMLight, ".svmlight": SVMLight, ".libsvm": SVMLight, ".vw": Vowpal, ".mtx": MatrixMarket, ".mm": MatrixMarket, ".npz": NPZ,
}

// FormatOf returns the format that a file's name shows, before an ending for compression.
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

// recognized is how much of a file is looked at to recognize its format.
const recognized = 4096

// recognize says by its first bytes which format a stream has. What is none of them is taken for
// svmlight, whose reader says what it looks like.
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

// looksVowpal says whether a line is one of Vowpal Wabbit rather than a table with bars, JSON, or
// svmlight with a bar in its id.
func looksVowpal(line []byte) bool {
	line = trimSpace(line)
	head, _, ok := bytes.Cut(line, []byte("|"))
	if !ok || len(line) == 0 || strings.IndexByte("{[<", line[0]) >= 0 || bytes.HasSuffix(line, []byte("|")) && len(head) == 0 && len(line) > 1 {
		return false
	}
	return bytes.IndexByte(head, '#') < 0
}
