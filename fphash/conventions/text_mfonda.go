package conventions

import "bytes"

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
