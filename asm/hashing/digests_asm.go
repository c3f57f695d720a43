//go:build (amd64 || arm64) && !purego

package hashing

// suffix returns what follows a key of 8 bytes in its block of 16 words: word 2, read as
// little-endian, and the length of the message in bits. The words between them are 0.
func suffix(counter byte) (word2, length uint32) {
	if counter == 0 {
		return 0x80, 64 // the one bit that ends the message
	}
	return uint32(counter) | 0x80<<8, 72
}

// md5Numbers returns the numbers that the steps add: the constants of RFC 1321, and the words of
// the block after the key.
func md5Numbers(counter byte) (numbers [64]uint32) {
	word2, length := suffix(counter)
	numbers = md5Constants
	for i := range numbers {
		switch [4]int{i, 5*i + 1, 3*i + 5, 7 * i}[i/16] % 16 { // the word that step i adds
		case 2:
			numbers[i] += word2
		case 14:
			numbers[i] += length
		}
	}
	return numbers
}

// md5Constants are floor(2^32·|sin i|), i from 1 to 64.
var md5Constants = [64]uint32{
	0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A, 0xA8304613, 0xFD469501,
	0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE, 0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821,
	0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
	0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A,
	0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70,
	0x289B7EC6, 0xEAA127FA, 0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
	0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1,
	0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391,
}

// takeOf copies the codes of the first n keys to dst, word by word with that stride. codes has the
// codes of as many keys as there are lanes.
func takeOf(lanes int, dst []uint64, stride int, codes []uint64, n int) {
	for t := range len(codes) / lanes {
		copy(dst[t*stride:][:n], codes[lanes*t:])
	}
}
