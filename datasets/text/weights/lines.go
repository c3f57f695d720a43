package weights

import (
	"bytes"
	"fmt"
	"io"

	"simhashkit/datasets"
	"simhashkit/internal/lines"
)

// maxLine is the longest line of the files of this package.
const maxLine = datasets.DefaultMaxLine

// source is a file of lines, and what its errors say.
type source struct {
	lines *lines.Reader
	name  string
}

func newSource(r io.Reader, name string) *source {
	if name == "" {
		name = "input"
	}
	return &source{lines.NewReader(r, maxLine), name}
}

// next returns the next line without its end, which is LF or CRLF, valid until the next call.
func (s *source) next() ([]byte, error) {
	line, err := s.lines.Next()
	switch err {
	case nil:
		return bytes.TrimSuffix(line, []byte("\r")), nil
	case io.EOF:
		return nil, io.EOF
	case lines.ErrTooLong:
		return nil, s.expected(0, fmt.Sprintf("a line of at most %d bytes", maxLine), line)
	}
	return nil, fmt.Errorf("%s: after line %d: %w", s.name, s.lines.Number(), err)
}

// expected says what was expected in the line, from its byte at on, and what stands there.
func (s *source) expected(at int, want string, got []byte) *datasets.SyntaxError {
	return datasets.NewSyntaxError(s.name, s.lines.Number(), at+1, want, got)
}
