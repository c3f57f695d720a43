package text

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"simhashkit/datasets"
)

// ReadStopWords reads a list of stop words for Options.StopWords: a word a line, in UTF-8. Blank
// lines, white space around words and lines that begin with # count as nothing. Errors of its form
// are a *datasets.SyntaxError with the name.
func ReadStopWords(r io.Reader, name string) ([]string, error) {
	var list []string
	lines := bufio.NewScanner(r)
	number := 0
	for lines.Scan() {
		number++
		word := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\ufeff")))
		switch {
		case len(word) == 0 || word[0] == '#':
		case !utf8.Valid(word) || bytes.ContainsFunc(word, unicode.IsSpace):
			return nil, &datasets.SyntaxError{File: name, Line: number, Column: 1, Want: "one word in UTF-8", Got: string(word[:min(len(word), 40)])}
		default:
			list = append(list, string(word))
		}
	}
	if lines.Err() == bufio.ErrTooLong {
		return nil, &datasets.SyntaxError{File: name, Line: number + 1, Column: 1, Want: "one word in UTF-8", Got: "a line of more than 65536 bytes"}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("text: %s: after line %d: %w", name, number, err)
	}
	return list, nil
}
