package weights

import (
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

// appendUnescaped returns at which byte an escape is that is none, and -1 where all is well.
func appendUnescaped(dst, text []byte) (feature []byte, bad int) {
	for at := 0; at < len(text); at++ {
		c := text[at]
		if c != '\\' {
			dst = append(dst, c)
			continue
		}
		at++
		if at == len(text) {
			return dst, at - 1
		}
		switch text[at] {
		case '\\':
			dst = append(dst, '\\')
		case 't':
			dst = append(dst, '\t')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 'x':
			if at+2 >= len(text) || hexValue(text[at+1]) < 0 || hexValue(text[at+2]) < 0 {
				return dst, at - 1
			}
			dst = append(dst, byte(hexValue(text[at+1])<<4|hexValue(text[at+2])))
			at += 2
		default:
			return dst, at - 1
		}
	}
	return dst, -1
}

func hexValue(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}
