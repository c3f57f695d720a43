package conventions

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"simhashkit/fphash"
	"simhashkit/internal/unicode15"
)

// HasTexts reports whether the system has a way of its own to make features of texts.
func (c Convention) HasTexts() bool { return textEntries[c.Name] != nil }

// textEntries append the features of a text to a list, by the names of presets.
var textEntries = map[string]func([]byte, [][]byte) [][]byte{
	"mfonda":    mfondaWords,
	"1e0ng-64":  pythonWindows,
	"1e0ng-128": pythonWindows,
}

// AppendText appends the fingerprint of a text, of which the system itself makes features, each
// counted once for each occurrence. It fails for a system that does not: see Convention.HasTexts.
// The text is UTF-8.
func (s *Sketcher) AppendText(dst []uint64, text []byte) ([]uint64, fphash.Status, error) {
	features := textEntries[s.convention.Name]
	if features == nil {
		return dst, fphash.NoInformation, s.wrap(errors.New("it makes no features of texts"))
	}
	return AppendUnit(s, dst, features(text, nil))
}

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

// mfondaWords appends the words of a text as github.com/mfonda/simhash finds them, in lower case:
// runs of ASCII letters, digits, '_' and ”'”, and behind them what a URL has. Any other letter ends
// a word: of those that have lower case, only İ and the sign of kelvin become ASCII, in each
// version of Unicode.
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
