package hamming

// blocksWithinGeneric returns the number of the first block that has a fingerprint for which the
// counter does not overflow that begins at start and counts the planes that differ from their
// signs, and leaves in counts a bit for each fingerprint, which is 1 if it does, and the planes of
// the counters; the number of blocks if there is none.
func blocksWithinGeneric(counts *planeCounts, planes, signs, start []uint64) (block int) {
	for size := len(signs) * wordsOfPlane; len(planes) > 0; planes = planes[size:] {
		all := ^uint64(0)
		for i := range wordsOfPlane {
			if len(start) == 2 {
				countFew(counts, planes[i:], signs, start, i)
			} else {
				countMany(counts, planes[i:], signs, start, i)
			}
			all &= counts[0][i]
		}
		if all != 1<<64-1 {
			break
		}
		block++
	}
	return block
}

// countFew counts 64 fingerprints, whose planes are 8 words apart, in counters of two bits. Four
// planes are added at a time, as in the adders of the kernels.
func countFew(counts *planeCounts, planes, signs, start []uint64, i int) {
	low, high, over := start[0], start[1], uint64(0)
	for j := 0; j+4 <= len(signs); j += 4 {
		s, p := (*[4]uint64)(signs[j:]), (*[3*wordsOfPlane + 1]uint64)(planes[j*wordsOfPlane:])
		a, b, c, d := p[0]^s[0], p[wordsOfPlane]^s[1], p[2*wordsOfPlane]^s[2], p[3*wordsOfPlane]^s[3]
		first := low&a | (low^a)&b
		low ^= a ^ b
		second := low&c | (low^c)&d
		low ^= c ^ d
		over |= high&first | (high^first)&second
		high ^= first ^ second
		if over == 1<<64-1 {
			break
		}
	}
	counts[0][i], counts[1][i], counts[2][i] = over, low, high
}

// countMany does the same in counters of any number of bits.
func countMany(counts *planeCounts, planes, signs, start []uint64, i int) {
	var count [8]uint64
	n := copy(count[:], start)
	over := uint64(0)
	for j, sign := range signs {
		carry := planes[j*wordsOfPlane] ^ sign
		for b := range count[:n] {
			count[b], carry = count[b]^carry, count[b]&carry
		}
		if over |= carry; over == 1<<64-1 {
			break
		}
	}
	counts[0][i] = over
	for b, c := range count[:n] {
		counts[1+b][i] = c
	}
}
