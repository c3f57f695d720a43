package weights

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// In files of this package a feature stands as it is, in UTF-8, but for the backslash, which is
// \\, and for control characters and bytes that are no UTF-8, which are \t, \n, \r or \x with two
// hexadecimal digits. So a feature of any bytes keeps to its line and to its column.

const hexDigits = "0123456789abcdef"

func appendEscaped(dst, feature []byte) []byte {
	for at := 0; at < len(feature); {
		c := feature[at]
		if c >= utf8.RuneSelf {
			if _, size := utf8.DecodeRune(feature[at:]); size > 1 {
				dst = append(dst, feature[at:at+size]...)
				at += size
				continue
			}
		}
		at++
		switch {
		case c == '\\':
			dst = append(dst, `\\`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c < ' ' || c >= 0x7f:
			dst = append(dst, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// appendUnescaped appends the unescaped text. bad is the position of an invalid escape, or -1.
func appendUnescaped(dst, text []byte) (feature []byte, bad int) {
	at := 0
	for {
		slash := bytes.IndexByte(text[at:], '\\')
		if slash < 0 {
			return append(dst, text[at:]...), -1
		}
		dst, at = append(dst, text[at:at+slash]...), at+slash
		escape := string(text[at:min(at+len(`\xff`), len(text))])
		if len(escape) < 2 || !strings.ContainsRune(`\tnrx`, rune(escape[1])) { // Go has more
			return dst, at
		}
		char, _, rest, err := strconv.UnquoteChar(escape, 0)
		if err != nil {
			return dst, at
		}
		dst, at = append(dst, byte(char)), at+len(escape)-len(rest)
	}
}
