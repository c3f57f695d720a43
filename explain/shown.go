package explain

import (
	"strconv"
	"unicode"
	"unicode/utf8"
)

// Shown returns a feature or a name for a line of a table: quoted where it does not print as it is,
// and at most so many characters of it.
func Shown(feature []byte, most int) string {
	text := string(feature)
	if !utf8.Valid(feature) || len(feature) == 0 || !printable(text) {
		text = strconv.Quote(text)
	}
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// printable reports whether the text can stand in a line, beginning and ending where it seems to.
func printable(text string) bool {
	for _, r := range text {
		if !unicode.IsPrint(r) { // of all white space, the space is
			return false
		}
	}
	return text[0] != ' ' && text[len(text)-1] != ' '
}
