package text

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"simhashkit/datasets"
)

// Vocabulary numbers features from 0 on, in the order in which they come.
//
// It is the dense way to indices: vectors of it are small numbers, as other tools want them. The
// hash of a feature (Analyzer.AppendIndices) needs no table and is the same everywhere. Goroutines
// may share a Vocabulary that nobody adds to.
type Vocabulary struct {
	// Definition says which features these are; it is saved with them.
	Definition string

	numbers  map[string]uint64
	features []string
}

// longestFeature is what a line of a saved vocabulary may hold.
const longestFeature = 1 << 20

const vocabularyTitle = "simhashkit vocabulary: "

// Add adds features that are new, and appends the numbers of all of them.
func (v *Vocabulary) Add(dst []uint64, features [][]byte) []uint64 {
	if v.numbers == nil {
		v.numbers = map[string]uint64{}
	}
	for _, feature := range features {
		number, ok := v.numbers[string(feature)]
		if !ok {
			number = uint64(len(v.features))
			kept := string(feature)
			v.numbers[kept] = number
			v.features = append(v.features, kept)
		}
		dst = append(dst, number)
	}
	return dst
}

// AppendIndices appends the numbers of the features that v has. Others are left out; unknown says
// how many.
func (v *Vocabulary) AppendIndices(dst []uint64, features [][]byte) (indices []uint64, unknown int) {
	for _, feature := range features {
		if number, ok := v.Index(feature); ok {
			dst = append(dst, number)
		} else {
			unknown++
		}
	}
	return dst, unknown
}

// Index returns the number of a feature, and false if v does not have it.
func (v *Vocabulary) Index(feature []byte) (uint64, bool) {
	number, ok := v.numbers[string(feature)]
	return number, ok
}

// Len returns how many features there are.
func (v *Vocabulary) Len() int { return len(v.features) }

// Feature returns the feature with a number.
func (v *Vocabulary) Feature(number uint64) string { return v.features[number] }

// Write saves v as text: a line with how many features there are and their definition, and after
// it a line for each.
func (v *Vocabulary) Write(w io.Writer) error {
	if strings.Contains(v.Definition, "\n") {
		return fmt.Errorf("text: saving a vocabulary: expected a definition without line feeds, got %q", v.Definition)
	}
	to := bufio.NewWriter(w)
	fmt.Fprintf(to, "%s%d of %s\n", vocabularyTitle, len(v.features), v.Definition)
	for number, feature := range v.features {
		if strings.Contains(feature, "\n") || len(feature) >= longestFeature {
			return fmt.Errorf("text: saving a vocabulary: expected features without line feeds and shorter than %d bytes, feature %d is none", longestFeature, number)
		}
		to.WriteString(feature)
		to.WriteByte('\n')
	}
	return to.Flush()
}

// ReadVocabulary reads what Write has saved. Errors of its form are a *datasets.SyntaxError with
// the name.
func ReadVocabulary(r io.Reader, name string) (*Vocabulary, error) {
	v := &Vocabulary{numbers: map[string]uint64{}}
	lines := bufio.NewReaderSize(r, longestFeature)
	line := 1
	fail := func(want string, got []byte) (*Vocabulary, error) {
		return nil, &datasets.SyntaxError{File: name, Line: line, Column: 1, Want: want, Got: string(got[:min(len(got), 40)])}
	}
	title, err := lines.ReadSlice('\n')
	if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	rest, isVocabulary := bytes.CutPrefix(bytes.TrimSuffix(title, []byte("\n")), []byte(vocabularyTitle))
	number, definition, _ := bytes.Cut(rest, []byte(" of "))
	count, notNumber := strconv.ParseUint(string(number), 10, 64)
	if err != nil || !isVocabulary || notNumber != nil {
		return fail(strconv.Quote(vocabularyTitle+"NUMBER of DEFINITION"), title)
	}
	v.Definition = string(definition)
	for range count {
		line++
		feature, err := lines.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull:
			return fail(fmt.Sprintf("a feature shorter than %d bytes", longestFeature), feature)
		case err == io.EOF:
			return fail(fmt.Sprintf("%d features, a line each, and there are %d", count, len(v.features)), feature)
		case err != nil:
			return nil, err
		}
		feature = feature[:len(feature)-1]
		if _, known := v.numbers[string(feature)]; known {
			return fail("a feature that stands in no line before", feature)
		}
		v.Add(nil, [][]byte{feature})
	}
	line++
	if more, err := lines.Peek(1); err != io.EOF {
		if err != nil {
			return nil, err
		}
		return fail(fmt.Sprintf("the end after %d features", count), more)
	}
	v.features = slices.Clip(v.features)
	return v, nil
}
