package datasets

import (
	"bytes"
	"fmt"
	"strconv"

	"simhashkit/internal/looks"
)

// lineSuch is a line as one is expected.
const lineSuch = "1 3:0.5 7:2 # id"

// fromVowpal turns lines of Vowpal Wabbit's format into svmlight: the label stays, what else stands
// before the first bar goes, and all bars with the namespaces behind them.
const fromVowpal = `sed -E 's/^([^ |]*)[^|]*/\1 /; s/\|[^ ]*//g'`

// vectorForms are forms of vectors that are taken for svmlight, by what the first line has.
var vectorForms = []struct {
	has  func(line []byte) bool
	like string
}{
	{containing("|"), "Vowpal Wabbit's format, of which this makes svmlight:\n" + fromVowpal},
	{beginning("%%MatrixMarket"), "a Matrix Market file"},
}

func containing(text string) func([]byte) bool {
	return func(line []byte) bool { return bytes.Contains(line, []byte(text)) }
}

func beginning(text string) func([]byte) bool {
	return func(line []byte) bool { return bytes.HasPrefix(line, []byte(text)) }
}

// looksLike says what a line looks like that is no svmlight, "" if it looks like nothing known.
func looksLike(line []byte) string {
	line = trimSpace(line[:min(len(line), maxLooked)])
	for _, l := range vectorForms {
		if l.has(line) {
			return l.like
		}
	}
	return looks.Line(line)
}

// maxLooked bounds what is looked at of a line.
const maxLooked = 1000

// NotVectors returns an error when vectors were read, but not a single index:value with them. Then
// the text is hardly one of vectors, though each line of it may be one: a list of words reads as
// labels alone. The error says what the text looks like. It is nil while there are no vectors.
func (r *SVMLightReader[W]) NotVectors() error {
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
	return fmt.Errorf("datasets: %s: expected svmlight lines such as %q; it looks like %s", r.options.Name, lineSuch, like)
}

// look notes what NotVectors and hints need to know of a line that holds a vector.
func (r *SVMLightReader[W]) look(line []byte) {
	if r.rows == 0 {
		r.firstLine = append(r.firstLine, line[:min(len(line), maxLooked)]...)
	}
	r.rows++
}

// hint says what the text looks like if its first malformed line comes before any index:value.
func (r *SVMLightReader[W]) hint(bad *SyntaxError, line []byte) {
	if !r.anyFeature && r.bad == 0 {
		bad.Like = looksLike(line)
	}
}
