package conventions

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simhashkit/internal/unicode15"
)

// texts draws texts of various letters and separators. It uses only characters for which the
// Unicode version of the Go toolchain does not matter.
var texts = rapid.OneOf(rapid.StringOf(rapid.Rune().Filter(unicode15.IsAssigned)), rapid.StringOfN(rapid.SampledFrom([]rune("aB3_'.:/- \n\u00a0éÉİIıßŒ語言京ΣσςÄǅⅣ²½٣\u0301\u200d")), 0, 60, -1), rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"http", "://", "a.b/c", " ", "it's", "snake_case", "Go", "語言", "x", "://", "--", "K"})).Draw(t, "parts"), "")
}))

// The words of mfonda/simhash match the pattern in its description.
func TestMfondaWordsModel(t *testing.T) {
	pattern := regexp.MustCompile(`[0-9A-Za-z_']+(://[0-9A-Za-z_./]+)?`)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.Map(texts, func(s string) []byte { return []byte(s) }), rapid.SliceOf(rapid.Byte())).Draw(t, "text")
		want := pattern.FindAll(bytes.ToLower(text), -1)
		if got := mfondaWords(text, nil); !slices.EqualFunc(got, want, bytes.Equal) {
			t.Fatalf("%q: %q, expected %q", text, got, want)
		}
	})
}

// The rest of a URL belongs to the word before ://, even if it is a single character.
func TestMfondaURLs(t *testing.T) {
	for text, want := range map[string]string{
		"see http://a.b/c?d": "see http://a.b/c d", "http://x y": "http://x y", "http://": "http", "a://-b": "a b", "://x": "x", "it's '": "it's '",
	} {
		if got := string(bytes.Join(mfondaWords([]byte(text), nil), []byte(" "))); got != want {
			t.Errorf("%q: %q, expected %q", text, got, want)
		}
	}
}

// The windows of 1e0ng/simhash follow its description, here for letters with a simple lower case.
func TestPythonWindowsModel(t *testing.T) {
	pattern := regexp.MustCompile(`[\p{L}\p{N}_]+`)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.NewReplacer("İ", "", "Σ", "").Replace(texts.Draw(t, "text"))
		joined := []rune(strings.Join(pattern.FindAllString(strings.ToLower(text), -1), ""))
		var want [][]byte
		for i := 0; i+4 <= len(joined); i++ {
			want = append(want, []byte(string(joined[i:i+4])))
		}
		if len(joined) < 4 {
			want = [][]byte{[]byte(string(joined))}
		}
		if got := pythonWindows([]byte(text), nil); !slices.EqualFunc(got, want, bytes.Equal) {
			t.Fatalf("%q: %q, expected %q", text, got, want)
		}
	})
}

// Letters that Unicode 15.0 does not have belong to no word, with any Go toolchain. U+1C89 and
// U+A7DC were added in Unicode 16.0.
func TestPythonWindowsAreFrozen(t *testing.T) {
	for text, want := range map[string]string{
		"\u1c89ab\u2c2f\ua7dcCD": "ab\u2c5fc b\u2c5fcd", "A\U0002ebf0\U000323b0漢": "a漢", "ΑΣ\u1c89": "ας", "\ua7dcΣΑ": "σα",
	} {
		if got := string(bytes.Join(pythonWindows([]byte(text), nil), []byte(" "))); got != want {
			t.Errorf("%+q: %+q, expected %+q", text, got, want)
		}
	}
}

func TestSystemsWithoutTexts(t *testing.T) {
	for _, c := range All() {
		s, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		words, _, err := s.AppendText(nil, []byte("to be or not to be"))
		if (err == nil) != c.HasTexts() || len(words) > 0 != c.HasTexts() {
			t.Errorf("%s: %x, %v, expected texts: %v", c.Name, words, err, c.HasTexts())
		}
	}
}
