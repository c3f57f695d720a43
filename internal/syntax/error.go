// Package syntax provides the error for malformed text in files of vectors, documents and weights.
package syntax

import (
	"fmt"
	"strconv"
)

// Error describes malformed text: where it is and what was expected.
type Error struct {
	File   string // the name given to the reader
	Line   int    // from 1; 0 if the file has no lines
	Column int    // in bytes, from 1; 0 if the file has no lines
	Row    int    // number of the vector, from 1, if the file has no lines; else 0
	Want   string // what was expected, such as "index:value"
	Got    string // the offending text, at most 40 bytes
	Like   string // the format that the text looks like, such as "comma-separated values"; or ""
	// a feature was expected, and none was found so far: the file may not hold vectors
	NoVector bool
}

// Error returns "File:Line:Column: expected Want, got Got; it looks like Like".
func (e *Error) Error() string {
	place := fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	if e.Line == 0 {
		place = fmt.Sprintf("%s: row %d", e.File, e.Row)
	}
	text := fmt.Sprintf("%s: expected %s, got %s", place, e.Want, strconv.Quote(e.Got))
	if e.Like != "" {
		text += "; it looks like " + e.Like
	}
	return text
}

// New returns an Error that quotes the beginning of the offending text.
func New(file string, line, column int, want string, got []byte) *Error {
	return &Error{File: file, Line: line, Column: column, Want: want, Got: Clip(got)}
}

// maxGot bounds the quoted text, since a token can be as long as the file.
const maxGot = 40

// Clip shortens a text to the length that an error quotes.
func Clip(text []byte) string {
	if len(text) > maxGot {
		return string(text[:maxGot-3]) + "..."
	}
	return string(text)
}
