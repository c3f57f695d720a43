// Package looks guesses the format of a file from its first bytes, for error messages.
package looks

import "bytes"

// most is how much of a text is looked at.
const most = 1000

// signatures are forms that are known by bytes at a fixed place.
var signatures = []struct {
	at    int
	bytes string
	like  string
}{
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
	{0, "\xff\xfe", "UTF-16 text"},
	{0, "\xfe\xff", "UTF-16 text"},
}

// texts are forms that are known by what the first line has.
var texts = []struct {
	has  func(line []byte) bool
	like string
}{
	{beginning("{"), "JSON"},
	{beginning("["), "JSON"},
	{beginning("<"), "HTML or XML"},
	{containing("\t"), "tab-separated values"},
	{containing(","), "comma-separated values"},
	{containing(";"), "semicolon-separated values"},
}

func containing(text string) func([]byte) bool {
	return func(line []byte) bool { return bytes.Contains(line, []byte(text)) }
}

func beginning(text string) func([]byte) bool {
	return func(line []byte) bool { return bytes.HasPrefix(line, []byte(text)) }
}

// File says what form the first bytes of a file are the signature of, "" if of none that is known.
// 512 bytes are enough.
func File(head []byte) string {
	for _, s := range signatures {
		if len(head) > s.at && bytes.HasPrefix(head[s.at:], []byte(s.bytes)) {
			return s.like
		}
	}
	return ""
}

// Line says what a line looks like, "" if like nothing that is known.
func Line(line []byte) string {
	line = bytes.TrimSpace(line[:min(len(line), most)])
	if like := File(line); like != "" {
		return like
	}
	for _, t := range texts {
		if t.has(line) {
			return t.like
		}
	}
	return ""
}
