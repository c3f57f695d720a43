package weights

import (
	"errors"
	"math"
	"strings"
	"testing"

	"simhashkit/internal/syntax"
)

func TestReadList(t *testing.T) {
	l := list(t, 0.5, "\ufeff# weights by hand\n\nto\t1\r\nbe\\tor\t-2.5e0\n#\t3\n\\\\\t0\n")
	for word, want := range map[string]float64{"to": 1, "be\tor": -2.5, "#": 3, `\`: 0, "not": 0.5} {
		if got := l.Weight([]byte(word)); got != want {
			t.Errorf("%q weighs %v, want %v", word, got, want)
		}
	}
	if again := list(t, 0.5, "be\\x09or\t-2.5\nto\t1\n#\t3\n\\\\\t0"); again.Name() != l.Name() {
		t.Errorf("the same list in another order is %s, want %s", again.Name(), l.Name())
	}
}

func TestDamagedLists(t *testing.T) {
	for text, want := range map[string]string{
		"word":          `l:1:1: expected a word, a tab and a weight, got "word"`,
		"a\t1\nb\t":     `l:2:3: expected a number from -1e30 to 1e30, got ""`,
		"a\tNaN":        `l:1:3: expected a number from -1e30 to 1e30, got "NaN"`,
		"a\t-Inf":       `l:1:3: expected a number from -1e30 to 1e30, got "-Inf"`,
		"a\t1e31":       `l:1:3: expected a number from -1e30 to 1e30, got "1e31"`,
		"a\t1\na\t1":    `l:2:1: expected each word once, got "a\t1"`,
		"a\t1\nb\\z\t1": `l:2:2: expected \\, \t, \n, \r or \x with two hexadecimal digits, got "\\z"`,
	} {
		if _, err := ReadList(strings.NewReader(text), "l"); err == nil || err.Error() != "weights: "+want {
			t.Errorf("%q: error\n%v, want\nweights: %s", text, err, want)
		}
	}
	if _, err := NewList(map[string]float64{"a": math.NaN()}, 0); err == nil {
		t.Error("NaN is no error")
	}
	if _, err := NewList(nil, math.Inf(1)); err == nil {
		t.Error("an infinite default weight is accepted")
	}
}

// FuzzList checks that any bytes give a list with finite weights or an error with file and line,
// without a panic.
func FuzzList(f *testing.F) {
	f.Add("a\t1\n# b\n\nc\\t\t-2")
	f.Add("\ufeff\ufeffa\t1\n") // a word that begins with a byte order mark
	f.Add("\ufeff\\x00\\\\\t-0\r\n#\t1e-300\n\xff\t1e30\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ReadList(strings.NewReader(text), "l")
		if err != nil {
			var bad *syntax.Error
			if !errors.As(err, &bad) || bad.File != "l" || bad.Line < 1 || bad.Line > strings.Count(text, "\n")+2 {
				t.Errorf("error %v, expected file and line", err)
			}
			return
		}
		for word, w := range l.weights {
			if !(math.Abs(w) <= maxWeight) {
				t.Fatalf("%q weighs %v", word, w)
			}
		}
	})
}

// Any feature is read back as it was written.
func FuzzEscapes(f *testing.F) {
	for _, feature := range []string{"", "to be", "\t\n\r\\", "\xff\x00é", "\ufffd\u2028\x7f", `\x41`} {
		f.Add(feature)
	}
	f.Fuzz(func(t *testing.T, feature string) {
		line := string(appendEscaped(nil, feature)) + "\t1"
		l, err := ReadList(strings.NewReader("first\t0\n"+line), "l")
		if err != nil || strings.ContainsAny(line, "\r\n") || l.Weight([]byte(feature)) != 1 {
			t.Errorf("%q is written as %q, which is read as %v, %v", feature, line, l, err)
		}
	})
}

// Writing frequencies returns the error of a full disk, even if only the final flush fails.
func TestFullDisk(t *testing.T) {
	full := errors.New("disk full")
	if err := NewBuilder("words").Write(fullDisk{full}); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}

// fullDisk accepts no bytes.
type fullDisk struct{ err error }

func (w fullDisk) Write([]byte) (int, error) { return 0, w.err }
