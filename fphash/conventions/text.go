package conventions

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"simhashkit/fphash"
	"simhashkit/internal/unicode15"
)

// HasTexts reports whether the system extracts features from texts itself.
func (c Convention) HasTexts() bool { return textEntries[c.Name] != nil }

// textEntries has the functions that append the features of a text to a list, by name of the
// preset.
var textEntries = map[string]func([]byte, [][]byte) [][]byte{
	"mfonda":    mfondaWords,
	"1e0ng-64":  pythonWindows,
	"1e0ng-128": pythonWindows,
}

// AppendText appends the fingerprint of a text in UTF-8, with the features that the system itself
// extracts from texts. Each occurrence of a feature counts once. AppendText returns an error if the
// system does not extract features: see Convention.HasTexts.
func (s *Sketcher) AppendText(dst []uint64, text []byte) ([]uint64, fphash.Status, error) {
	features := textEntries[s.convention.Name]
	if features == nil {
		return dst, fphash.NoInformation, s.wrap(errors.New("the system does not extract features from texts"))
	}
	return AppendUnit(s, dst, features(text, nil))
}

// windowLength is the number of characters of a feature.
const windowLength = 4

// pythonWindows appends the features that github.com/1e0ng/simhash extracts from a text. It
// converts the text to lower case, drops all characters that do not belong to words, and takes
// every four adjacent characters of the rest. If fewer than four are left, even none, the rest is
// the only feature.
func pythonWindows(text []byte, windows [][]byte) [][]byte {
	joined := make([]byte, 0, len(text)+4)
	var starts []int // where the characters of joined start
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

// isPythonWord reports whether \w of Python's regular expressions matches the character: a letter,
// a character with a numeric value, or '_'.
func isPythonWord(r rune) bool { return unicode15.IsLetterOrNumber(r) || r == '_' }

// lowerPython yields the characters of the text in lower case, like Python's str.lower. Σ has a
// special form at the end of a word. str.lower converts İ to two characters; lowerPython yields
// only the first, because the second is a mark and does not belong to a word.
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

// isFinal reports whether a letter between two texts is at the end of a word: it follows a cased
// letter and does not precede one. Characters that have no case and do not end a word are ignored.
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

// mfondaWords appends the lower-case words that github.com/mfonda/simhash finds in a text. A
// word is a run of ASCII letters, digits, underscores and apostrophes, and the rest of a URL if the
// run is followed by ://. Any other letter ends a word. In every version of Unicode, İ and the
// Kelvin sign are the only such letters whose lower case is ASCII.
func mfondaWords(text []byte, words [][]byte) [][]byte {
	text = bytes.ToLower(text)
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && (isASCIIWord(text[i]) || text[i] == '\'') {
			i++
		}
		if i == start {
			i++
			continue
		}
		if rest, ok := bytes.CutPrefix(text[i:], []byte("://")); ok {
			tail := 0
			for tail < len(rest) && (isASCIIWord(rest[tail]) || rest[tail] == '.' || rest[tail] == '/') {
				tail++
			}
			if tail > 0 {
				i += len("://") + tail
			}
		}
		words = append(words, text[start:i])
	}
	return words
}

func isASCIIWord(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_'
}
