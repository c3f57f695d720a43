package datasets

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"simhashkit/internal/looks"
)

// Lines as they are expected.
const (
	lineSuch   = "1 3:0.5 7:2 # id"
	vowpalSuch = "1 'id| 3:0.5 7:2"
)

// vectorForms are forms of vectors that are taken for svmlight, by how they begin.
var vectorForms = []struct{ begins, like string }{
	{"\x93NUMPY", "a NumPy array; scipy.sparse.save_npz writes sparse matrices that are read here"},
	{"\x89HDF", "an HDF5 file"},
	{"\x89FPH", "fingerprints, as fphash sketch --format binary writes them"},
	{"\x80", "a Python pickle"},
	{marketMagic, "a Matrix Market file"},
}

// looksLike says what a line looks like that is no svmlight, "" if it looks like nothing known.
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

// maxLooked bounds what is looked at of a line.
const maxLooked = 1000

// NotVectors returns an error when vectors were read, but not a single index:value with them. Then
// the text is hardly one of vectors, though each line of it may be one: a list of words reads as
// labels alone. The error says what the text looks like. It is nil while there are no vectors.
func (r *SVMLightReader[W]) NotVectors() error {
	return r.notVectors("svmlight lines such as " + strconv.Quote(lineSuch))
}

// NotVectors returns an error when vectors were read, but not a single feature with them: a table
// with bars between its columns reads as namespaces alone. The error says what the text looks like.
// It is nil while there are no vectors.
func (r *VowpalReader[W]) NotVectors() error {
	return r.notVectors("lines of Vowpal Wabbit such as " + strconv.Quote(vowpalSuch))
}

func (r *textReader[W]) notVectors(want string) error {
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
	return &NotVectorsError{File: r.options.Name, Want: want, Like: like}
}

// NotVectorsError is the error of a text that reads as vectors, none of which has a feature.
type NotVectorsError struct {
	File string // name given to the reader
	Want string // what was expected
	Like string // what the text looks like
}

// Error returns datasets: file: expected Want; it looks like Like.
func (e *NotVectorsError) Error() string {
	return fmt.Sprintf("datasets: %s: expected %s; it looks like %s", e.File, e.Want, e.Like)
}

// What is expected in the place of what is no vector.
const (
	wantFeature = "index:value"
	wantLabel   = "a label or index:value"
	wantBar     = "a bar before the features"
	wantTag     = "a number, or a tag such as 'name"
)

// look notes what NotVectors and hints need to know of a line that holds a vector.
func (r *textReader[W]) look(line []byte) {
	if r.rows == 0 {
		r.firstLine = append(r.firstLine, line[:min(len(line), maxLooked)]...)
	}
	r.rows++
}

// hint says what the text looks like if its first malformed line comes before any index:value.
func (r *textReader[W]) hint(bad *SyntaxError, line []byte) {
	bad.NoVector = !r.anyFeature && r.bad == 0 && slices.Contains([]string{wantFeature, wantLabel, wantBar, wantTag}, bad.Want)
	if !r.anyFeature && r.bad == 0 && !(r.bars && bytes.IndexByte(line, '|') >= 0) {
		bad.Like = looksLike(line)
	}
}
