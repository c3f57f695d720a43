package text

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"simhashkit/asm/wordscan"
	"simhashkit/internal/unicode15"
)

// preparer normalizes texts before they are split. It reuses its memory, so a result is valid only
// until the next call.
type preparer struct {
	nfkc, fold bool
	folder     cases.Caser

	normal, piece, folded []byte
}

func newPreparer(o Options) preparer {
	return preparer{nfkc: o.NFKC, fold: o.Fold, folder: cases.Fold()}
}

// prepare returns the text as valid UTF-8, normalized and folded according to the options. It
// returns the text itself if nothing changes.
func (p *preparer) prepare(text []byte) []byte {
	if !utf8.Valid(text) {
		text = []byte(string([]rune(string(text)))) // each invalid byte becomes U+FFFD
	}
	if p.nfkc && !norm.NFKC.IsNormal(text) {
		p.normal = p.appendNormal(slices.Grow(p.normal[:0], len(text)), text)
		text = p.normal
	}
	if p.fold {
		p.folded = p.appendFolded(slices.Grow(p.folded[:0], len(text)+3*utf8.UTFMax), text)
		text = p.folded
	}
	return text
}

// appendNormal appends a text in normal form NFKC. Code points not assigned in Unicode 15.0 are
// unchanged: in newer tables, some of them are marks or parts of other characters.
func (p *preparer) appendNormal(dst, text []byte) []byte {
	at, size := unicode15.IndexUnassigned(text)
	if size == 0 {
		return norm.NFKC.Append(dst, text...)
	}
	for ; size > 0; at, size = unicode15.IndexUnassigned(text) {
		// Normalize in a separate buffer, so that the text does not combine with the end of dst.
		p.piece = norm.NFKC.Append(p.piece[:0], text[:at]...)
		dst = append(append(dst, p.piece...), text[at:at+size]...)
		text = text[at+size:]
	}
	p.piece = norm.NFKC.Append(p.piece[:0], text...)
	return append(dst, p.piece...)
}

// appendFolded appends a text with its case folded. A kernel folds ASCII, much faster than the
// library. Case folding handles each code point separately, so the text can be split between any
// two of them.
func (p *preparer) appendFolded(dst, text []byte) []byte {
	for len(text) > 0 {
		dst = slices.Grow(dst, len(text))
		size := wordscan.Lower(dst[len(dst):len(dst)+len(text)], text)
		dst, text = dst[:len(dst)+size], text[size:]
		size = caselessPrefix(text)
		dst, text = append(dst, text[:size]...), text[size:]
		if size = slices.IndexFunc(text, func(b byte) bool { return b < utf8.RuneSelf }); size < 0 {
			size = len(text)
		}
		dst = p.appendFoldedOther(dst, text[:size])
		text = text[size:]
	}
	return dst
}

// caselessPrefix returns the size of the prefix of a text from U+3000 to U+9FFF, which have no
// case: most characters of Chinese and Japanese. They are three bytes each.
func caselessPrefix(text []byte) (size int) {
	for size < len(text) && text[size] >= 0xE3 && text[size] <= 0xE9 {
		size += 3
	}
	return size
}

// appendFoldedOther appends the text folded by the library. Code points not assigned in Unicode
// 15.0 are unchanged.
func (p *preparer) appendFoldedOther(dst, text []byte) []byte {
	for len(text) > 0 {
		at, size := unicode15.IndexUnassigned(text)
		dst = append(p.appendFoldedAssigned(dst, text[:at]), text[at:at+size]...)
		text = text[at+size:]
	}
	return dst
}

func (p *preparer) appendFoldedAssigned(dst, text []byte) []byte {
	for len(text) > 0 {
		// A code point grows at most threefold. The loop continues where space ran out.
		dst = slices.Grow(dst, 2*len(text)+utf8.UTFMax*3)
		p.folder.Reset()
		written, read, _ := p.folder.Transform(dst[len(dst):cap(dst)], text, true)
		dst, text = dst[:len(dst)+written], text[read:]
	}
	return dst
}
