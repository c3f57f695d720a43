package conventions

import (
	"unicode/utf8"

	"simhashkit/internal/unicode15"
)

// windowLength is how many characters a feature has.
const windowLength = 4

// pythonWindows appends the features that github.com/1e0ng/simhash makes of a text: in lower case,
// all characters that words are made of, without what is between them, every four neighbours of
// these. Of less than four, even of none, there is one feature.
func pythonWindows(text []byte, windows [][]byte) [][]byte {
	joined := make([]byte, 0, len(text)+4)
	var starts []int // of the characters of joined
	lowerPython(text, func(r rune) {
		if isPythonWord(r) {
			starts = append(starts, len(joined))
			joined = utf8.AppendRune(joined, r)
		}
	})
	starts = append(starts, len(joined))
	for i := 0; i == 0 || i+windowLength < len(starts); i++ {
		windows = append(windows, joined[starts[i]:starts[min(i+windowLength, len(starts)-1)]])
	}
	return windows
}

// isPythonWord reports whether Python's regular expressions take the character for \w: letters,
// what has a numeric value, and '_'.
func isPythonWord(r rune) bool { return unicode15.IsLetterOrNumber(r) || r == '_' }

// lowerPython yields the characters of the text as str.lower of Python has them: one by one, but
// for Σ, which has a form for the end of a word. Of the two that İ becomes, the second is a mark,
// which belongs to no word.
func lowerPython(text []byte, yield func(rune)) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == 'Σ' && isFinal(text[:i], text[i+size:]) {
			yield('ς')
		} else {
			yield(unicode15.ToLower(r))
		}
		i += size
	}
}

// isFinal reports whether what stands between is at the end of a word: behind a letter that has
// cases, and not before one, whatever has no case and does not end a word standing between.
func isFinal(before, behind []byte) bool {
	for {
		r, size := utf8.DecodeLastRune(before)
		if size == 0 || !unicode15.IsCaseIgnorable(r) {
			if !unicode15.IsCased(r) {
				return false
			}
			break
		}
		before = before[:len(before)-size]
	}
	for {
		r, size := utf8.DecodeRune(behind)
		if size == 0 || !unicode15.IsCaseIgnorable(r) {
			return !unicode15.IsCased(r)
		}
		behind = behind[size:]
	}
}
