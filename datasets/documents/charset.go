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
// does not define becomes invalid UTF-8, so that the error has its position.
func (c *charset) decoded(r io.Reader) io.Reader {
	if c == nil {
		return r
	}
	decoder := unicode.BOMOverride(c.encoding.NewDecoder())
	if !c.hasFFFD {
		decoder = transform.Chain(decoder, undefinedBytes{})
	}
	return transform.NewReader(r, decoder)
}

// want describes a valid text in errors.
func (c *charset) want() string {
	if c == nil {
		return "UTF-8 text (--charset latin1 reads other encodings)"
	}
	return "text in " + c.name
}

// undefinedBytes is a Transformer that replaces U+FFFD, which decoders return for undefined bytes,
// by the byte 0xFF, which UTF-8 does not define.
type undefinedBytes struct{ transform.NopResetter }

var replacement = []byte(string(utf8.RuneError))

func (undefinedBytes) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		rest := src[nSrc:]
		switch found := bytes.HasPrefix(rest, replacement); {
		case nDst == len(dst):
			return nDst, nSrc, transform.ErrShortDst
		case found:
			dst[nDst] = 0xFF
			nSrc += len(replacement)
		case !atEOF && len(rest) < len(replacement) && bytes.HasPrefix(replacement, rest):
			return nDst, nSrc, transform.ErrShortSrc
		default:
			dst[nDst] = rest[0]
			nSrc++
		}
		nDst++
	}
	return nDst, nSrc, nil
}

// Decode converts the first bytes of a file from a charset to UTF-8.
func Decode(start []byte, name string) ([]byte, error) {
	c, err := charsetOf(name)
	if err != nil || c == nil {
		return start, err
	}
	return io.ReadAll(c.decoded(bytes.NewReader(start)))
}
