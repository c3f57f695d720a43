// Package syntax provides the error for malformed text in files of vectors, documents and weights,
// and guesses the format of such a file from its first bytes.
package syntax

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Error describes malformed text: where it is and what was expected.
type Error struct {
	File   string // the name given to the reader
	Line   int    // from 1; 0 if the file has no lines, or if the error concerns all of it
	Column int    // in bytes, from 1; 0 if Line is 0
	Row    int    // number of the vector, from 1, if the file has no lines; else 0
	Want   string // what was expected, such as "index:value"
	Got    string // the offending text, at most 40 bytes
	Like   string // the format that the text looks like, such as "comma-separated values"; or ""
	// a feature was expected, and none was found: the file may not hold vectors
	NoVector bool
}

// Error returns "File:Line:Column: expected Want, got Got; it looks like Like", without the parts
// that are not known.
func (e *Error) Error() string {
	text := e.File
	switch {
	case e.Line > 0:
		text += fmt.Sprintf(":%d:%d", e.Line, e.Column)
	case e.Row > 0:
		text += fmt.Sprintf(": row %d", e.Row)
	}
	text += ": expected " + e.Want
	if e.Line > 0 || e.Row > 0 {
		text += ", got " + strconv.Quote(e.Got)
	}
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

// FirstInvalid returns the position of the first byte that is not valid UTF-8, or -1.
func FirstInvalid(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// maxLooked is the number of bytes of a line that are inspected.
const maxLooked = 1000

// UTF16 is the name of text that begins with a byte order mark of UTF-16.
const UTF16 = "UTF-16 text"

// Index is the name of the index files of this project, and index their signature.
const (
	Index = "an index of fphash index build"
	index = "\x89FPI\r\n\x1a\n"
)

// signatures identify formats by bytes at a fixed position.
var signatures = []struct {
	at    int
	bytes string
	like  string
}{
	{0, index, Index},
	{0, "PAR1", "a Parquet file"},
	{0, "PARE", "an encrypted Parquet file"},
	{257, "ustar", "a tar archive"},
	{0, "ARROW1", "an Arrow file"},
	{0, "Obj\x01", "an Avro file"},
	{0, "ORC", "an ORC file"},
	{0, "PK\x03\x04", "a zip archive"},
	{0, "\x93NUMPY", "a NumPy array"},
	{0, "\xfd7zXZ\x00", "a file packed with xz"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{0, "%PDF-", "a PDF file"},
	{0, "SQLite format 3\x00", "an SQLite database"},
	{0, "\xff\xfe", UTF16},
	{0, "\xfe\xff", UTF16},
}

// texts are formats recognized by the beginning or the content of the first line.
var texts = []struct {
	has        func(line, text []byte) bool
	text, like string
}{
	{bytes.HasPrefix, "{", "JSON"},
	{bytes.HasPrefix, "[", "JSON"},
	{bytes.HasPrefix, "<", "HTML or XML"},
	{bytes.Contains, "\t", "tab-separated values"},
	{bytes.Contains, ",", "comma-separated values"},
	{bytes.Contains, ";", "semicolon-separated values"},
}

// LikeFile returns the format whose signature the first bytes of a file have, or "" if none
// matches. 512 bytes are enough. An index that is cut off within its signature is an index.
func LikeFile(head []byte) string {
	if len(head) > 0 && bytes.HasPrefix([]byte(index), head) {
		return Index
	}
	for _, s := range signatures {
		if len(head) > s.at && bytes.HasPrefix(head[s.at:], []byte(s.bytes)) {
			return s.like
		}
	}
	return ""
}

// LikeLine returns the format that a line looks like, or "" if it recognizes none.
func LikeLine(line []byte) string {
	line = bytes.TrimSpace(line[:min(len(line), maxLooked)])
	if like := LikeFile(line); like != "" {
		return like
	}
	for _, t := range texts {
		if t.has(line, []byte(t.text)) {
			return t.like
		}
	}
	return ""
}
