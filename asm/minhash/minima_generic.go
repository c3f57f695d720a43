package minhash

// addGeneric takes four lanes at a time through all keys, so that minima and constants stay in
// registers.
func addGeneric(minima *[64]uint32, functions *[2][64]uint32, keys []uint64) {
	multiply, add := &functions[0], &functions[1]
	for j := 0; j < len(minima); j += 4 {
		a0, a1, a2, a3 := multiply[j], multiply[j+1], multiply[j+2], multiply[j+3]
		b0, b1, b2, b3 := add[j], add[j+1], add[j+2], add[j+3]
		m0, m1, m2, m3 := minima[j], minima[j+1], minima[j+2], minima[j+3]
		for _, key := range keys {
			k := uint32(key)
			m0 = min(m0, a0*k+b0)
			m1 = min(m1, a1*k+b1)
			m2 = min(m2, a2*k+b2)
			m3 = min(m3, a3*k+b3)
		}
		minima[j], minima[j+1], minima[j+2], minima[j+3] = m0, m1, m2, m3
	}
}

func bitsGeneric(minima *[64]uint32) (bits uint64) {
	for j, m := range minima {
		bits |= uint64((m^m>>15)*0x9E3779B1>>31) << j
	}
	return bits
}
