package datasets

import (
	"io"
	"strings"
	"testing"

	"simhashkit/internal/syntax"
)

// The end of a text with vectors, but without any index:value, is an error. It is none if there is
// one, even with value 0, and for an empty text.
func TestNotVectors(t *testing.T) {
	for text, like := range map[string]string{
		"":                                       "",
		"# a comment\n":                          "",
		"1\n1 3:1\n":                             "",
		"1 3:0\n":                                "",
		"a,b\n1,2\n":                             "comma-separated values",
		"a;b\n":                                  "semicolon-separated values",
		"-1.5e3\n7\n":                            "a list of numbers",
		"word\nanother # one\n":                  "a list of words",
		strings.Repeat("x", 2*maxLooked) + ",\n": "a list of words",
	} {
		reader := newSVMLightReader[float32](strings.NewReader(text), ReadOptions{Name: "f"})
		var row Row[float32]
		err := reader.Read(&row)
		for err == nil {
			err = reader.Read(&row)
		}
		if like == "" {
			if err != io.EOF {
				t.Errorf("%.20q: %v", text, err)
			}
			continue
		}
		wantError(t, err, `f: expected svmlight lines such as "1 3:0.5 7:2 # id"; it looks like `+like)
	}
}

// The error of the first malformed line says what the text looks like, unless vectors came before
// it.
func TestOtherFormatIsNamedOnce(t *testing.T) {
	var like []string
	options := ReadOptions{OnError: func(err error) { like = append(like, err.(*syntax.Error).Like) }}
	if _, err := readSVMLight[int32](t.Context(), strings.NewReader("a, b\nc, d\n"), options); err != nil {
		t.Fatal(err)
	}
	if _, err := readSVMLight[int32](t.Context(), strings.NewReader("1 1:1\na, b\n"), options); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(like, "|"); got != "comma-separated values||" {
		t.Errorf("it looks like %q", like)
	}
}
