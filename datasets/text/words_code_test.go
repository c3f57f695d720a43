package text

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// codeWordsOf returns the words of a text, with those of programming languages.
func codeWordsOf(text string) (list []string) {
	words := spansOf([]byte(text))
	takeSigns([]byte(text), words)
	for _, w := range words {
		list = append(list, text[w.From:w.To])
	}
	return list
}

func TestCodeWords(t *testing.T) {
	for text, want := range map[string]string{
		"C++":                       "C++",
		"GNU Objective-C++ (gobjc)": "GNU|Objective|C++|gobjc",
		"C++11, C#8; F#.":           "C++|11|C#|8|F#",
		".NET C#.NET ASP.NET":       ".NET|C#|.NET|ASP.NET",
		"a (.deb) file. Next.":      "a|.deb|file|Next",
		"wait ...and 1.5 .5 v.2":    "wait|and|1.5|5|v|2",
		"a+b x+1 i++; # C ## 5#":    "a|b|x+|1|i++|C|5",
		"C#Script g++-12 GTK+":      "C|Script|g++|12|GTK+",
		"über.NET é++ naïve++ .ä":   "über.NET|é|naïve++|ä",
		"漢字+C++漢字.NET":              "漢字|C|漢字|NET",
		"_++ A_++ ._a":              "A_|_a",
		"“.NET” „C++“":              ".NET|C++",
		"":                          "",
	} {
		if got := strings.Join(codeWordsOf(text), "|"); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// Of ASCII without what joins words otherwise, they are what an expression finds.
func TestCodeWordsByExpression(t *testing.T) {
	expression := regexp.MustCompile(`^(?:([A-Za-z0-9]+)([+#]*)|[^A-Za-z0-9])`)
	r := rand.New(rand.NewPCG(3, 4))
	signs := 0
	for range 50_000 {
		text := make([]byte, r.IntN(20))
		for i := range text {
			text[i] = "aB1+#. (-"[r.IntN(9)]
		}
		if bytes.Contains(text, []byte("1.1")) || regexp.MustCompile(`[A-Za-z]\.[A-Za-z]`).Match(text) {
			continue // one word to UAX #29
		}
		var want []string
		for at := 0; at < len(text); {
			match := expression.FindSubmatch(text[at:])
			word, after := string(match[1]), string(match[2])
			if word == "" {
				at++
				continue
			}
			next := at + len(word) + len(after)
			isLetter := func(i int) bool { return i >= 0 && i < len(text) && strings.ContainsRune("aB", rune(text[i])) }
			if !isLetter(at+len(word)-1) || isLetter(next) {
				after, next = "", at+len(word)
			}
			signs += len(after)
			if isLetter(at) && at > 0 && text[at-1] == '.' && (at == 1 || !strings.ContainsRune("aB1.", rune(text[at-2]))) {
				word = "." + word
			}
			want = append(want, word+after)
			at = next
		}
		if got := codeWordsOf(string(text)); !slices.Equal(got, want) {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
	}
	if signs == 0 {
		t.Error("no signs belong to words, expected some")
	}
}

// Without such signs they are the words that UAX #29 has, and with them as many, wherever a text is
// cut into parts.
func TestCodeWordsAreWords(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	more := append(slices.Clone(pieces), "+", "#", "++", ".", "C++", ".NET", " ", " ")
	for range 20_000 {
		var text []byte
		for range r.IntN(40) {
			text = append(text, more[r.IntN(len(more))]...)
		}
		var want []string
		for _, w := range spansOf(text) {
			want = append(want, string(text[w.From:w.To]))
		}
		got := codeWordsOf(string(text))
		if bytes.ContainsAny(text, "+#.") {
			var parts []string
			a := &Analyzer{options: Options{Code: true}}
			for at := 0; at < len(text); {
				var spans []span
				spans, at = a.appendSpans(nil, text, at, min(at+1+r.IntN(20), len(text)))
				for _, w := range spans {
					parts = append(parts, string(text[w.From:w.To]))
				}
			}
			if !slices.Equal(parts, got) {
				t.Fatalf("%q in parts: %q, want %q", text, parts, got)
			}
			continue
		}
		if !slices.Equal(want, got) {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
	}
}

// A full stop behind a mark begins no word, whatever the mark is on.
func TestCodeBehindMark(t *testing.T) {
	a, err := New(Options{Code: true})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"!\u0301.net": "net", "! .net": ".net"} {
		if got := string(bytes.Join(a.Append(nil, []byte(text)), []byte("|"))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
