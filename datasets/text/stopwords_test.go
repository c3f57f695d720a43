package text_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"simhashkit/datasets"
	"simhashkit/datasets/text"
)

// FuzzReadStopWords holds for any bytes: the words that stand alone on their lines, in UTF-8, up to
// the first line that has something else, which the error names; and a list of them reads back.
func FuzzReadStopWords(f *testing.F) {
	for _, s := range []string{"\ufeff# common here\nFox\n\n don’t\r\n", "a b\n", "\xff\n", "a\n\u3000的\u00a0\n#\nb", "a\vb\nc\rd\r\n", strings.Repeat("a", 70000), ""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want []string
		wrong, number := 0, 0
		for line := range bytes.Lines(data) {
			number++
			fields := bytes.FieldsFunc(bytes.TrimPrefix(line, []byte("\ufeff")), unicode.IsSpace)
			if len(fields) == 0 || fields[0][0] == '#' {
				continue
			}
			if len(fields) > 1 || !utf8.Valid(fields[0]) {
				wrong = number
				break
			}
			want = append(want, string(fields[0]))
		}
		list, err := text.ReadStopWords(bytes.NewReader(data), "x")
		if err != nil {
			var syntax *datasets.SyntaxError
			if !errors.As(err, &syntax) || syntax.File != "x" || syntax.Want == "" || syntax.Line != wrong && len(data) < 1<<16 {
				t.Errorf("error %v, expected one of line %d", err, wrong)
			}
			return
		}
		if wrong > 0 || !slices.Equal(list, want) {
			t.Fatalf("%q, expected %q and line %d to be an error", list, want, wrong)
		}
		again, err := text.ReadStopWords(strings.NewReader(strings.Join(list, "\n")), "again")
		if err != nil || !slices.Equal(again, list) {
			t.Errorf("%q read again: %q, %v", list, again, err)
		}
	})
}
