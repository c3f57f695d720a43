// Package unicode15 provides character properties as defined by Unicode 15.0, whatever version the
// Go toolchain has, so that fingerprints of texts do not depend on the toolchain.
//
// A code point not assigned in Unicode 15.0 is not a letter, number, mark or white space, and has
// no other case. Before callers use tables of other packages, such as for normalization and case
// folding, they split texts with IndexUnassigned. Unicode guarantees that these tables do not
// change for assigned characters.
package unicode15

import (
	"unicode"
	"unicode/utf8"
)

// IsLetter reports whether the category of a character is L.
func IsLetter(r rune) bool {
	if r <= unicode.MaxLatin1 {
		return unicode.IsLetter(r) // a table lookup
	}
	return unicode.Is(letters, r)
}

// IsLetterOrNumber reports whether the category of a character is L or N.
func IsLetterOrNumber(r rune) bool {
	if r <= unicode.MaxLatin1 {
		return unicode.IsLetter(r) || unicode.IsNumber(r)
	}
	return unicode.Is(lettersAndNumbers, r)
}

// IsMark reports whether the category of a character is M.
func IsMark(r rune) bool { return unicode.Is(marks, r) }

// IsSymbol reports whether the category of a character is P or S: punctuation, operators, currency
// signs, emoji and other symbols.
func IsSymbol(r rune) bool { return unicode.Is(symbols, r) }

// IsSpace reports whether a character has the property White_Space.
func IsSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200A
}

// IsUnspaced reports whether a character is a letter, or a sign that stands for a letter (such as
// 〇), of a script without spaces between words: Han, Hiragana, Katakana, Thai, Lao, Khmer and
// Myanmar.
func IsUnspaced(r rune) bool {
	switch {
	case r < 0x0E01, r > 0x10FF && r < 0x1780, r > 0x17FF && r < 0x3005, r >= 0xAC00 && r <= 0xD7A3:
		return false // most other scripts
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FA:
		return true // most Chinese characters, hiragana and katakana
	case r == 'ー' || r == 'ｰ':
		return true // belongs to no script, but lengthens katakana vowels
	}
	return unicode.Is(unspaced, r)
}

// IsCased reports whether a character has the property Cased.
func IsCased(r rune) bool { return unicode.Is(cased, r) }

// IsCaseIgnorable reports whether a character has the property Case_Ignorable: marks, format
// characters, modifiers, and punctuation used within words.
func IsCaseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', '·', '\u0387', '\u055f', '\u05f4', '\u2018', '\u2019', '\u2024', '\u2027', '\ufe13', '\ufe52', '\ufe55', '\uff07', '\uff0e', '\uff1a':
		return true
	}
	return unicode.Is(caseIgnorableCategories, r)
}

// ToLower returns the lower case of a character if that is assigned in Unicode 15.0. Newer versions
// of Unicode add lower cases for older characters.
func ToLower(r rune) rune {
	if lower := unicode.ToLower(r); r < utf8.RuneSelf || lower != r && IsAssigned(r) && IsAssigned(lower) {
		return lower
	}
	return r
}

// IsAssigned reports whether a code point is assigned to a character or reserved for private use.
func IsAssigned(r rune) bool {
	switch {
	case r < 0x378, r >= 0x400 && r <= 0x52F, r >= 0x2000 && r <= 0x2064, r >= 0x3000 && r <= 0x303F,
		r >= 0x3041 && r <= 0x3096, r >= 0x3099 && r <= 0x30FF, r >= 0x4E00 && r <= 0xA48C,
		r >= 0xAC00 && r <= 0xD7A3, r >= 0xFF01 && r <= 0xFFBE:
		return true // fast path for most texts
	}
	return unicode.Is(assigned, r)
}

// IndexUnassigned returns the position and size in bytes of the first unassigned code point of a
// text of valid UTF-8. If there is none, it returns the length of the text and 0.
func IndexUnassigned(text []byte) (at, size int) {
	for at < len(text) {
		switch first := text[at]; {
		case first < utf8.RuneSelf:
			at++
			continue
		case first <= 0xCC, first >= 0xD0 && first <= 0xD3: // Latin, Cyrillic
			at += 2
			continue
		case first >= 0xE4 && first <= 0xE9: // Chinese
			at += 3
			continue
		}
		r, size := utf8.DecodeRune(text[at:])
		if !IsAssigned(r) {
			return at, size
		}
		at += size
	}
	return at, 0
}
