package datasets

import "slices"

// WindowSize is the number of bytes in a window.
const WindowSize = 8

// AppendWindows appends the byte windows of a text to dst, in the order of the text and with
// repeats, and returns the extended slice.
//
// White space is collapsed first: a run of ASCII white space counts as one space, and white space
// at the beginning and the end as nothing. Each run of WindowSize bytes of what remains is a
// window, the number that these bytes are in little-endian order. So a text of n collapsed bytes
// has n-7 windows, and one of fewer than 8 has none. It takes about two nanoseconds a byte.
func AppendWindows(dst []uint64, text []byte) []uint64 {
	dst = slices.Grow(dst, max(0, len(text)-WindowSize+1))
	var window uint64
	size := 0
	space := false // white space read, but not yet followed by anything
	for _, b := range text {
		if isSpace(b) {
			space = size > 0
			continue
		}
		if space {
			space = false
			window = window>>8 | ' '<<56
			if size++; size >= WindowSize {
				dst = append(dst, window)
			}
		}
		window = window>>8 | uint64(b)<<56
		if size++; size >= WindowSize {
			dst = append(dst, window)
		}
	}
	return dst
}
