package text

import (
	"slices"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/clipperhouse/uax29/v2/words"

	"simhashkit/asm/wordhash"
	"simhashkit/internal/unicode15"
)

// span says where a word is in its text.
type span = wordhash.Span

// appendSpanned appends parts of a text as slices of it.
func appendSpanned(dst [][]byte, text []byte, spans []span) [][]byte {
	dst = slices.Grow(dst, len(spans))
	for _, s := range spans {
		dst = append(dst, text[s.From:s.To:s.To])
	}
	return dst
}

// appendSegment appends the word of the segment that begins at a position, if it is one. It returns
// where to go on.
//
// Segments of ASCII are cut here, which is several times faster, and everything that touches
// anything else by the library; a fuzz test holds both to the same words.
func appendSegment(dst []span, text []byte, at int) ([]span, int) {
	end, isWord, ok := asciiSegment(text, at)
	if !ok {
		return appendBeyond(dst, text, at)
	}
	if isWord {
		dst = append(dst, span{From: at, To: end})
	}
	return dst, end
}

// appendBeyond appends the word that begins at a position, by the library, or the words of the run
// without spaces there. It returns where to go on.
func appendBeyond(dst []span, text []byte, at int) ([]span, int) {
	for start := at; ; {
		size, _, _ := words.SplitFunc(text[at:], true) // all of a text is there: it has no error
		kind, skip := kindOf(text[at : at+size])
		if kind == runOfCharacters {
			if at += size; at < len(text) && classesOf[text[at]]&(beyond|connector) != 0 {
				continue // katakana may begin with an underscore
			}
			return appendPairs(dst, text[:at], start), at
		}
		dst = appendPairs(dst, text[:at], start)
		if kind == oneWord {
			dst = append(dst, span{From: at + skip, To: at + size})
		}
		return dst, at + size
	}
}

// What a segment of UAX #29 is.
const (
	noWord          = iota
	oneWord         // it has a letter or a number
	runOfCharacters // all its letters are of scripts without spaces
)

// kindOf returns the kind of a segment, and how many bytes at its beginning are no part of the
// word: a joiner may join a sign that counts as a letter (U+2139) to the white space before it.
func kindOf(segment []byte) (kind, skip int) {
	for skip < len(segment) && segment[skip] <= ' ' {
		skip++
	}
	for at := skip; at < len(segment); {
		r, size := utf8.DecodeRune(segment[at:])
		at += size
		switch {
		case IsUnspaced(r):
			kind = runOfCharacters
		case isLetterOrNumber(r):
			return oneWord, skip
		}
	}
	return kind, skip
}

func isLetterOrNumber(r rune) bool {
	if r < utf8.RuneSelf {
		return classesOf[r]&(letter|digit) != 0
	}
	return unicode15.IsLetterOrNumber(r)
}

// IsUnspaced reports whether a character belongs to a script without spaces between words, such as
// Chinese, Japanese and Thai, or stands for one (〇).
func IsUnspaced(r rune) bool {
	switch {
	case r < 0x0E01, r > 0x10FF && r < 0x1780, r > 0x17FF && r < 0x3005, r >= 0xAC00 && r <= 0xD7A3:
		return false // soon said for most other scripts
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FA:
		return true // most of Chinese, hiragana and katakana
	case r == 'ー' || r == 'ｰ':
		return true // belongs to no script, but makes vowels of katakana long
	}
	return unicode15.IsUnspaced(r)
}

// appendPairs appends every two neighbouring characters of the run that begins at a position and
// ends a text, or the character of a run of one. A character is a letter with the marks behind it,
// the first one also with those before it.
func appendPairs(dst []span, text []byte, start int) []span {
	if start == len(text) {
		return dst
	}
	characters, before := 0, start // before is the start of the character before the one at start
	for at := start; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if IsUnspaced(r) {
			if characters++; characters > 2 {
				dst = append(dst, span{From: before, To: at})
			}
			if characters > 1 {
				before, start = start, at
			}
		}
		at += size
	}
	return append(dst, span{From: before, To: len(text)})
}

// appendPlain appends the plain words of a text from a position on, where none may have begun
// before, until none has begun where ASCII goes on, or another position is reached. It returns
// where that is.
func appendPlain(dst []span, text []byte, at, before int) ([]span, int) {
	first := at
	start := -1       // of the word at hand, if there is one
	unspaced := false // it is a character of a script without spaces
	for at < len(text) {
		r, size := rune(text[at]), 1
		letter, single, mark := false, false, false
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[at:])
			single = IsUnspaced(r)
			letter = !single && isLetterOrNumber(r)
			mark = !single && !letter && unicode15.IsMark(r)
		} else if run := alphanumerics(text[at:]); run > 0 {
			size, letter = run, true
		}
		if start < 0 || !mark && (!letter || unspaced) {
			if start >= 0 {
				dst = append(dst, span{From: start, To: at})
				start = -1
			}
			if at >= before || r < utf8.RuneSelf && at > first {
				return dst, at
			}
			if letter || single {
				start, unspaced = at, single
			}
		}
		at += size
	}
	if start >= 0 {
		dst = append(dst, span{From: start, To: at})
	}
	return dst, at
}

// takeSigns extends words by the signs that belong to the names of programming languages: C++, C#,
// F#, .NET.
//
// The plus and number signs directly behind a letter of ASCII belong to its word, unless a letter
// follows them: C++11 is the words C++ and 11, and a+b those of a and b. So does a full stop
// directly before a word that begins with a letter of ASCII, unless a letter, a number or another
// full stop stands before that.
func takeSigns(text []byte, words []span) {
	for i, w := range words {
		if isASCIILetter(text[w.From]) && w.From > 0 && text[w.From-1] == '.' && !endsWord(text[:w.From-1]) {
			words[i].From--
		}
		if isASCIILetter(text[w.To-1]) {
			words[i].To += codeSigns(text[w.To:])
		}
	}
}

// codeSigns returns how many plus and number signs a text begins with, 0 if a letter follows them.
func codeSigns(text []byte) (n int) {
	for n < len(text) && (text[n] == '+' || text[n] == '#') {
		n++
	}
	if r, _ := utf8.DecodeRune(text[n:]); unicode15.IsLetter(r) {
		return 0
	}
	return n
}

func isASCIILetter(b byte) bool { return classesOf[b]&letter != 0 }

// endsWord reports whether a full stop behind a text does not begin a word.
func endsWord(text []byte) bool {
	r, _ := utf8.DecodeLastRune(text)
	return r == '.' || r == '_' || isLetterOrNumber(r) || unicode15.IsMark(r)
}

// appendHashes appends the XXH64 of parts of a text.
func appendHashes(dst []uint64, text []byte, spans []span) []uint64 {
	at := len(dst)
	dst = slices.Grow(dst, len(spans))[:at+len(spans)]
	for len(spans) > 0 {
		n := wordhash.XXH64(dst[at:], text, spans)
		if n < len(spans) { // a long word, or one at the end
			dst[at+n] = xxhash.Sum64(text[spans[n].From:spans[n].To])
			n++
		}
		at, spans = at+n, spans[n:]
	}
	return dst
}
