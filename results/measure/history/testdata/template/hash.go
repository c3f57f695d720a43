package near

// Codes hashes indices by FNV-1a, byte by byte.
func Codes(codes, indices []uint64) {
	for i, x := range indices {
		h := uint64(0xcbf29ce484222325)
		for range 8 {
			h = (h ^ x&0xff) * 0x100000001b3
			x >>= 8
		}
		codes[i] = h
	}
}
