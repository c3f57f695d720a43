// Package looks guesses the format of a file from its first bytes, for error messages.
package looks

import "bytes"

// most is the number of bytes of a line that are inspected.
const most = 1000

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

// File returns the format whose signature the first bytes of a file have, or "" if none matches.
// 512 bytes are enough. An index that is cut off within its signature is an index.
func File(head []byte) string {
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

// Line returns the format that a line looks like, or "" if it recognizes none.
func Line(line []byte) string {
	line = bytes.TrimSpace(line[:min(len(line), most)])
	if like := File(line); like != "" {
		return like
	}
	for _, t := range texts {
		if t.has(line, []byte(t.text)) {
			return t.like
		}
	}
	return ""
}
