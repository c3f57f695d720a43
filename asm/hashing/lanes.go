//go:build (amd64 || arm64) && !purego

package hashing

// takeOf copies the codes of the first n of as many keys as there are lanes to dst, word by word,
// with that stride.
func takeOf(lanes int, dst []uint64, stride int, codes []uint64, n int) {
	for t := range len(codes) / lanes {
		copy(dst[t*stride:][:n], codes[lanes*t:])
	}
}
