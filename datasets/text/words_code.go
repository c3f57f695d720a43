package text

import (
	"unicode/utf8"

	"simhashkit/internal/unicode15"
)

// takeSigns extends words by the signs that belong to the names of programming languages: C++, C#,
// F#, .NET.
//
// The plus and number signs directly behind a letter of ASCII belong to its word, unless a letter
// follows them: C++11 is the words C++ and 11, and a+b those of a and b. So does a full stop
// directly before a word that begins with a letter of ASCII, unless a letter, a number or another
// full stop stands before that.
func takeSigns(text []byte, words []span) {
	for i, w := range words {
		if isASCIILetter(text[w.From]) && w.From > 0 && text[w.From-1] == '.' && !endsWord(text[:w.From-1]) {
			words[i].From--
		}
		if isASCIILetter(text[w.To-1]) {
			words[i].To += codeSigns(text[w.To:])
		}
	}
}

// codeSigns returns how many plus and number signs a text begins with, 0 if a letter follows them.
func codeSigns(text []byte) (n int) {
	for n < len(text) && (text[n] == '+' || text[n] == '#') {
		n++
	}
	if r, _ := utf8.DecodeRune(text[n:]); unicode15.IsLetter(r) {
		return 0
	}
	return n
}

func isASCIILetter(b byte) bool { return classesOf[b]&letter != 0 }

// endsWord reports whether a full stop behind a text does not begin a word.
func endsWord(text []byte) bool {
	r, _ := utf8.DecodeLastRune(text)
	return r == '.' || r == '_' || isLetterOrNumber(r) || unicode15.IsMark(r)
}
