package documents

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// charset is an encoding of texts. A nil charset is UTF-8.
type charset struct {
	name     string
	encoding encoding.Encoding
	hasFFFD  bool // a valid text may contain U+FFFD
}

// charsetOf returns the charset of a name in the Encoding Standard, or nil for UTF-8 and "".
func charsetOf(name string) (*charset, error) {
	if name == "" {
		return nil, nil
	}
	e, err := htmlindex.Get(name)
	if err != nil || e == encoding.Replacement {
		return nil, fmt.Errorf("documents: unknown charset %q: want a name such as latin1, windows-1251, shift_jis, gbk, big5, utf-16", name)
	}
	c := &charset{encoding: e}
	if c.name, err = htmlindex.Name(e); err != nil {
		return nil, fmt.Errorf("documents: charset %q: %w", name, err)
	}
	if c.name == "utf-8" {
		return nil, nil
	}
	_, err = e.NewEncoder().String(string(utf8.RuneError))
	c.hasFFFD = err == nil
	return c, nil
}

// decoded returns a reader of the text in UTF-8, without a byte order mark. A byte that the charset
// does not define becomes U+FFFD.
func (c *charset) decoded(r io.Reader) io.Reader {
	if c == nil {
		return r
	}
	return transform.NewReader(r, unicode.BOMOverride(c.encoding.NewDecoder()))
}

// firstInvalid returns the position of the first byte of a decoded text that is not valid UTF-8, or
// that the charset did not define. It returns -1 if there is none.
func (c *charset) firstInvalid(text []byte) int {
	at := FirstInvalid(text)
	if at < 0 && c != nil && !c.hasFFFD {
		at = bytes.Index(text, []byte(string(utf8.RuneError)))
	}
	return at
}

// want describes a valid text in errors.
func (c *charset) want() string {
	if c == nil {
		return "UTF-8 text (--charset latin1 reads other encodings)"
	}
	return "text in " + c.name
}

// Decode converts the first bytes of a file from a charset to UTF-8.
func Decode(start []byte, name string) ([]byte, error) {
	c, err := charsetOf(name)
	if err != nil || c == nil {
		return start, err
	}
	return io.ReadAll(c.decoded(bytes.NewReader(start)))
}
