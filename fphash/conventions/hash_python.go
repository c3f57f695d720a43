package conventions

import "unicode/utf8"

// hashPythonString returns the low half of the code that the Python code of the blog tradition
// gives a word: of 128 bits, of which the upper ones never reach the lower. Bytes that are no UTF-8
// are characters U+FFFD, each by itself; Python has no such words.
func hashPythonString(word []byte) (x uint64) {
	if len(word) == 0 {
		return 0
	}
	const multiplier = 1000003
	first, _ := utf8.DecodeRune(word)
	x = uint64(first) << 7
	length := uint64(0)
	for len(word) > 0 {
		c, size := utf8.DecodeRune(word)
		x = x*multiplier ^ uint64(c)
		word = word[size:]
		length++
	}
	return x ^ length
}
