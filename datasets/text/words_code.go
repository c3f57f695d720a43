package text

import (
	"unicode"
	"unicode/utf8"
)

// appendCodeWords appends words as appendWordsBefore does, with the names of programming languages
// among them: C++, C#, F#, .NET.
//
// The plus and number signs directly behind a letter of ASCII belong to its word, unless a letter
// follows them: C++11 is the words C++ and 11, and a+b those of a and b. So does a full stop
// directly before a word that begins with a letter of ASCII, unless a letter, a number or another
// full stop stands before that.
func appendCodeWords(dst [][]byte, text []byte, at, before int) ([][]byte, int) {
	for at < before {
		count := len(dst)
		end, isWord, ok := asciiSegment(text, at)
		switch {
		case !ok:
			dst, at = appendBeyond(dst, text, at)
		case isWord:
			dst, at = append(dst, text[at:end:end]), end
		default:
			at = end
		}
		if len(dst) > count {
			dst[len(dst)-1], at = codeWord(text, dst[len(dst)-1], at)
		}
	}
	return dst, at
}

// codeWord returns a word with the signs around it that belong to it, and where it ends. A word of a
// letter of ASCII at either side ends at the given position of the text.
func codeWord(text, word []byte, end int) ([]byte, int) {
	start := end - len(word)
	if isASCIILetter(word[0]) && start > 0 && text[start-1] == '.' && !endsWord(text[:start-1]) {
		start--
		word = text[start:end:end]
	}
	if signs := codeSigns(text[end:]); signs > 0 && isASCIILetter(word[len(word)-1]) {
		end += signs
		word = text[start:end:end]
	}
	return word, end
}

// codeSigns returns how many plus and number signs a text begins with, 0 if a letter follows them.
func codeSigns(text []byte) (n int) {
	for n < len(text) && (text[n] == '+' || text[n] == '#') {
		n++
	}
	if r, _ := utf8.DecodeRune(text[n:]); unicode.IsLetter(r) {
		return 0
	}
	return n
}

func isASCIILetter(b byte) bool { return classes[b]&letter != 0 }

// endsWord reports whether a full stop behind a text does not begin a word.
func endsWord(text []byte) bool {
	r, _ := utf8.DecodeLastRune(text)
	return r == '.' || r == '_' || isLetterOrNumber(r) || unicode.IsMark(r)
}
