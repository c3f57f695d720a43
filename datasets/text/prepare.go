package text

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// preparer turns texts into what features are cut from. It holds scratch: what a call returns is
// valid until the next one.
type preparer struct {
	nfkc, fold bool
	folder     cases.Caser

	valid, normal, folded []byte
}

func newPreparer(o Options) preparer {
	return preparer{nfkc: o.NFKC, fold: o.Fold, folder: cases.Fold()}
}

// prepare returns the text as valid UTF-8, normalised and folded if asked for: the text itself
// where nothing changes.
func (p *preparer) prepare(text []byte) []byte {
	if !utf8.Valid(text) {
		p.valid = appendValid(slices.Grow(p.valid[:0], len(text)), text)
		text = p.valid
	}
	if p.nfkc && !norm.NFKC.IsNormal(text) {
		p.normal = norm.NFKC.Append(slices.Grow(p.normal[:0], len(text)), text...)
		text = p.normal
	}
	if p.fold {
		p.folded = p.appendFolded(slices.Grow(p.folded[:0], len(text)+3*foldedAtOnce), text)
		text = p.folded
	}
	return text
}

// appendValid appends a text with U+FFFD for each byte that is not part of UTF-8, as ranging over
// a string sees it.
func appendValid(dst, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		dst = utf8.AppendRune(dst, r)
		text = text[size:]
	}
	return dst
}

// appendFolded appends a text with its case folded. What is ASCII takes a loop, several times
// faster than the library; folding looks at one code point at a time, so that cutting the text
// between them changes nothing.
func (p *preparer) appendFolded(dst, text []byte) []byte {
	for len(text) > 0 {
		size := asciiPrefix(text)
		at := len(dst)
		dst = append(dst, text[:size]...)
		lowerASCII(dst[at:])
		text = text[size:]
		size = otherPrefix(text)
		dst = p.appendFoldedOther(dst, text[:size])
		text = text[size:]
	}
	return dst
}

// appendFoldedOther appends what the library makes of a text.
func (p *preparer) appendFoldedOther(dst, text []byte) []byte {
	for len(text) > 0 {
		// a code point becomes at most three times as long; the library goes on where room ended
		dst = slices.Grow(dst, 2*len(text)+utf8.UTFMax*3)
		p.folder.Reset()
		written, read, _ := p.folder.Transform(dst[len(dst):cap(dst)], text, true)
		dst, text = dst[:len(dst)+written], text[read:]
	}
	return dst
}

// asciiPrefix returns how many bytes of ASCII a text begins with.
func asciiPrefix(text []byte) (n int) {
	for ; n+8 <= len(text); n += 8 {
		if others := binary.LittleEndian.Uint64(text[n:]) & topBits; others != 0 {
			return n + bits.TrailingZeros64(others)/8
		}
	}
	for n < len(text) && text[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// foldedAtOnce is how many bytes other than ASCII are folded at a time, for which there must be
// twice the room.
const foldedAtOnce = 4 << 10

// otherPrefix returns how many bytes other than ASCII a text begins with, or how many of them whole
// code points have that are folded at a time.
func otherPrefix(text []byte) int {
	most := min(len(text), foldedAtOnce)
	for i, b := range text[:most] {
		if b < utf8.RuneSelf {
			return i
		}
	}
	for most < len(text) && !utf8.RuneStart(text[most]) {
		most--
	}
	return most
}

// lowerASCII makes letters of a text that is ASCII lower-case.
func lowerASCII(text []byte) {
	for ; len(text) >= 8; text = text[8:] {
		eight := binary.LittleEndian.Uint64(text)
		upper := (eight + (0x80-'A')*eachByte) &^ (eight + (0x7f-'Z')*eachByte) & topBits
		binary.LittleEndian.PutUint64(text, eight|upper>>2) // 0x80 becomes 0x20
	}
	for i, b := range text {
		if b-'A' < 26 {
			text[i] = b | 0x20
		}
	}
}
