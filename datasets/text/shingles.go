package text

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// isSpace is 1 for ASCII white space.
var isSpace = func() (is [256]byte) {
	for _, b := range " \t\n\v\f\r" {
		is[b] = 1
	}
	return is
}()

// appendCollapsed appends a text with each run of ASCII white space replaced by one space, and
// without white space at the beginning and the end.
func appendCollapsed(dst, text []byte) []byte {
	dst = slices.Grow(dst, len(text))
	out := dst[len(dst) : len(dst)+len(text)]
	n := 0
	before := byte(1) // 1 if the previous byte is white space
	for len(text) > 0 {
		if len(text) >= 8 {
			eight := binary.LittleEndian.Uint64(text)
			if last, same := staySame(eight, before); same {
				binary.LittleEndian.PutUint64(out[n:], eight)
				n += 8
				before = last
				text = text[8:]
				continue
			}
		}
		few := text[:min(8, len(text))]
		for _, b := range few { // branch-free, since word ends are unpredictable
			space := isSpace[b]
			out[n] = b ^ (b^' ')*space
			n += int(1 - space&before)
			before = space
		}
		text = text[len(few):]
	}
	if n > 0 && out[n-1] == ' ' {
		n--
	}
	return dst[:len(dst)+n]
}

// staySame reports whether collapsing leaves eight bytes unchanged, and whether the last byte is
// white space. before is 1 if the previous byte is white space. staySame may return false for bytes
// that do not change, since it treats any byte below 16 as white space other than a space.
func staySame(eight uint64, before byte) (last byte, same bool) {
	other := ^((eight&^topBits + 0x70*eachByte) | eight) & topBits   // top bits of bytes below 16
	spaces := eight ^ ' '*eachByte                                   // zero for each space
	spaces = ^((spaces&^topBits + 0x7f*eachByte) | spaces) & topBits // top bits of spaces
	twice := spaces & (spaces<<8 | uint64(before)<<7)
	return byte(spaces >> 63), other|twice == 0
}

// appendShingles appends all sequences of n consecutive bytes.
func appendShingles(dst [][]byte, text []byte, n int) [][]byte {
	dst = slices.Grow(dst, max(0, len(text)-n+1))
	for end := n; end <= len(text); end++ {
		dst = append(dst, text[end-n:end:end])
	}
	return dst
}

// appendWindows appends all sequences of n <= 8 consecutive bytes as little-endian numbers.
func appendWindows(dst []uint64, text []byte, n int) []uint64 {
	count := max(0, len(text)-n+1)
	dst = slices.Grow(dst, count)
	out := dst[len(dst) : len(dst)+count]
	mask := ^uint64(0) >> (64 - 8*n)
	whole := max(0, len(text)-7) // number of positions where 8 bytes can be read
	i := 0
	for ; i+4 <= whole; i += 4 { // four at a time, to save bounds checks
		from, to := text[i:i+11], out[i:i+4]
		to[0] = binary.LittleEndian.Uint64(from) & mask
		to[1] = binary.LittleEndian.Uint64(from[1:]) & mask
		to[2] = binary.LittleEndian.Uint64(from[2:]) & mask
		to[3] = binary.LittleEndian.Uint64(from[3:]) & mask
	}
	for ; i < count; i++ {
		var last [8]byte
		copy(last[:], text[i:])
		out[i] = binary.LittleEndian.Uint64(last[:]) & mask
	}
	return dst[:len(dst)+count]
}

// appendCharacters appends all sequences of n consecutive code points of valid UTF-8.
func appendCharacters(dst [][]byte, text []byte, n int) [][]byte {
	end := 0
	for range n {
		if end == len(text) {
			return dst
		}
		end += characterSize(text[end:])
	}
	for from := 0; ; {
		dst = append(dst, text[from:end:end])
		if end == len(text) {
			return dst
		}
		from += characterSize(text[from:])
		end += characterSize(text[end:])
	}
}

func characterSize(text []byte) int {
	if text[0] < utf8.RuneSelf {
		return 1
	}
	_, size := utf8.DecodeRune(text)
	return size
}
