package datasets

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"simhashkit/datasets/internal/looks"
)

// vectorForms are forms of vectors that are taken for svmlight, by how they begin.
var vectorForms = []struct{ begins, like string }{
	{"\x93NUMPY", "a NumPy array; scipy.sparse.save_npz writes sparse matrices that are read here"},
	{"\x89HDF", "an HDF5 file"},
	{"\x89FPH", "fingerprints, as fphash sketch --format binary writes them"},
	{"\x80", "a Python pickle"},
	{marketMagic, "a Matrix Market file"},
}

// looksLike describes a line that is not svmlight; "" if it looks like nothing known.
func looksLike(line []byte) string {
	line = trimSpace(line[:min(len(line), maxLooked)])
	for _, form := range vectorForms {
		if bytes.HasPrefix(line, []byte(form.begins)) {
			return form.like
		}
	}
	if like := looks.Line(line); like != "" || !bytes.Contains(line, []byte("|")) {
		return like
	}
	return "values separated by bars"
}

// maxLooked is the number of bytes of a line that are inspected.
const maxLooked = 1000

// NotVectors returns an error when vectors were read, but not a single feature with them: a list of
// words reads as labels alone, a table with bars between its columns as namespaces alone.
func (r *lineReader[W]) NotVectors() error {
	if r.rows == 0 || r.anyFeature {
		return nil
	}
	like := looksLike(r.firstLine)
	if like == "" {
		like = "a list of words"
		if _, err := strconv.ParseFloat(string(trimSpace(r.firstLine)), 64); err == nil {
			like = "a list of numbers"
		}
	}
	return &NotVectorsError{File: r.options.Name, Want: r.want, Like: like}
}

// NotVectorsError is the error of a text that parses as vectors without any feature.
type NotVectorsError struct {
	File string // name given to the reader
	Want string // what was expected
	Like string // what the text looks like
}

// Error returns datasets: file: expected Want; it looks like Like.
func (e *NotVectorsError) Error() string {
	return fmt.Sprintf("datasets: %s: expected %s; it looks like %s", e.File, e.Want, e.Like)
}

// What messages expect in the place of a line that is no vector.
const (
	wantFeature = "index:value"
	wantLabel   = "a label or index:value"
	wantBar     = "a bar before the features"
	wantTag     = "a number, or a tag such as 'name"
	wantNumber  = "a number behind the colon"
)

// look notes what NotVectors and hints need to know of a line that holds a vector.
func (r *lineReader[W]) look(line []byte) {
	if r.rows == 0 {
		r.firstLine = append(r.firstLine, line[:min(len(line), maxLooked)]...)
	}
	r.rows++
}

// hint describes the text if its first malformed line comes before any index:value.
func (r *lineReader[W]) hint(bad *SyntaxError, line []byte) {
	bad.NoVector = !r.anyFeature && r.bad == 0 && slices.Contains([]string{wantFeature, wantLabel, wantBar, wantTag}, bad.Want)
	if !r.anyFeature && r.bad == 0 && !(r.bars && bytes.IndexByte(line, '|') >= 0) {
		bad.Like = looksLike(line)
	}
}
