package text_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"simhashkit/datasets/text"
)

func TestVocabulary(t *testing.T) {
	analyzer := newAnalyzer(t, "words")
	v := &text.Vocabulary{Definition: analyzer.Options().String()}
	numbers := v.Add([]uint64{7}, analyzer.Append(nil, []byte("to be or not to be")))
	if !slices.Equal(numbers, []uint64{7, 0, 1, 2, 3, 0, 1}) {
		t.Errorf("got %d", numbers)
	}
	v.Add(nil, [][]byte{{}, []byte(" \r\x00\xff")})
	var file strings.Builder
	if err := v.Write(&file); err != nil {
		t.Fatal(err)
	}
	if want := "simhashkit vocabulary: 6 of words,n=1,lang=auto\nto\nbe\nor\nnot\n\n \r\x00\xff\n"; file.String() != want {
		t.Errorf("expected %q, got %q", want, file.String())
	}
	again, err := text.ReadVocabulary(iotest.OneByteReader(strings.NewReader(file.String())), "v")
	if err != nil {
		t.Fatal(err)
	}
	got, unknown := again.AppendIndices(nil, analyzer.Append(nil, []byte("not new, but to be")))
	if !slices.Equal(got, []uint64{3, 0, 1}) || unknown != 2 {
		t.Errorf("got %d, and %d unknown", got, unknown)
	}
	if number, ok := again.Index([]byte("new")); ok || number != 0 {
		t.Errorf("of an unknown feature: got %d", number)
	}
	if again.Len() != 6 || again.Feature(2) != "or" || again.Definition != v.Definition {
		t.Errorf("got %d, %q, %q", again.Len(), again.Feature(2), again.Definition)
	}
}

func TestVocabularyRefused(t *testing.T) {
	const title = "simhashkit vocabulary: 2 of words\n"
	for s, want := range map[string]string{
		"":                             `v:1:1: expected "simhashkit vocabulary: NUMBER of DEFINITION", got ""`,
		"to\nbe\n":                     `v:1:1: expected "simhashkit vocabulary: NUMBER of DEFINITION", got "to\n"`,
		"simhashkit vocabulary: x of ": `v:1:1: expected "simhashkit vocabulary: NUMBER of DEFINITION", got "simhashkit vocabulary: x of "`,
		title:                          `v:2:1: expected 2 features, a line each, and there are 0, got ""`,
		title + "to\nb":                `v:3:1: expected 2 features, a line each, and there are 1, got "b"`,
		title + "to\nto\n":             `v:3:1: expected a feature that stands in no line before, got "to"`,
		title + "to\nbe\nor\n":         `v:4:1: expected the end after 2 features, got "o"`,
		title + "to\n" + strings.Repeat("x", 1<<20):                  `v:3:1: expected a feature shorter than 1048576 bytes, got "` + strings.Repeat("x", 40) + `"`,
		"simhashkit vocabulary: 99999999999999999 of words\na\n":     `v:3:1: expected 99999999999999999 features, a line each, and there are 1, got ""`,
		"simhashkit vocabulary: 99999999999999999999999 of words\na": `v:1:1: expected "simhashkit vocabulary: NUMBER of DEFINITION", got "simhashkit vocabulary: 99999999999999999"`,
	} {
		if _, err := text.ReadVocabulary(strings.NewReader(s), "v"); err == nil || err.Error() != want {
			t.Errorf("of %.60q:\nexpected %s\ngot      %v", s, want, err)
		}
	}
	broken := errors.New("broken")
	for _, s := range []string{"", title, title + "a\nb\n"} {
		if _, err := text.ReadVocabulary(iotest.ErrReader(broken), "v"); !errors.Is(err, broken) {
			t.Errorf("after %q: expected the error of the reader, got %v", s, err)
		}
	}
	for _, v := range []text.Vocabulary{{Definition: "a\nb"}, *vocabularyOf("a\nb"), *vocabularyOf(strings.Repeat("a", 1<<20))} {
		if err := v.Write(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("expected that it cannot be saved, got %v", err)
		}
	}
}

// What an output does not take is an error, be it only what buffers hold at the end.
func TestVocabularyOnAFullDisk(t *testing.T) {
	r, w := io.Pipe()
	full := errors.New("disk full")
	r.CloseWithError(full)
	if err := vocabularyOf("a").Write(w); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}

func vocabularyOf(feature string) *text.Vocabulary {
	var v text.Vocabulary
	v.Add(nil, [][]byte{[]byte(feature)})
	return &v
}

// FuzzVocabulary holds for any bytes: no panic, and what reads is written as the same bytes.
func FuzzVocabulary(f *testing.F) {
	f.Add("simhashkit vocabulary: 2 of words\nto\nbe\n")
	f.Fuzz(func(t *testing.T, s string) {
		v, err := text.ReadVocabulary(strings.NewReader(s), "v")
		if err != nil {
			return
		}
		var file strings.Builder
		if err := v.Write(&file); err != nil {
			t.Fatal(err)
		}
		if again, err := text.ReadVocabulary(strings.NewReader(file.String()), "v"); err != nil || again.Len() != v.Len() || again.Definition != v.Definition {
			t.Fatalf("of %q: got %v", s, err)
		}
	})
}
