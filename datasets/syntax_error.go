package datasets

import (
	"fmt"
	"strconv"
)

// SyntaxError says where vectors are malformed and what was expected there.
type SyntaxError struct {
	File   string // name given to the reader
	Line   int    // from 1; 0 where the file has no lines
	Column int    // in bytes, from 1; 0 where the file has no lines
	Row    int    // number of the vector, from 1, where the file has no lines; else 0
	Want   string // what was expected, such as "index:value"
	Got    string // the offending text, at most 40 bytes of it
	// what the text looks like if it is of another format, such as "comma-separated values"; else
	// ""
	Like string
	// what stands there is no feature, and none came before it: the text may be no vectors at all
	NoVector bool
}

// Error returns file:line:column: expected Want, got "Got"; it looks like Like.
func (e *SyntaxError) Error() string {
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

// NewSyntaxError returns a SyntaxError that quotes what fits of the offending text.
func NewSyntaxError(file string, line, column int, want string, got []byte) *SyntaxError {
	return &SyntaxError{File: file, Line: line, Column: column, Want: want, Got: clip(got)}
}

// maxGot bounds the text that an error quotes, since a token can be as long as the file.
const maxGot = 40

func clip(token []byte) string {
	if len(token) > maxGot {
		return string(token[:maxGot-3]) + "..."
	}
	return string(token)
}
