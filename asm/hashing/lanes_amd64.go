//go:build !purego

package hashing

// takeOfEight copies the codes of the first n of eight keys to dst, word by word, with that stride.
func takeOfEight(dst []uint64, stride int, codes []uint64, n int) {
	for t := range len(codes) / 8 {
		copy(dst[t*stride:][:n], codes[8*t:])
	}
}
