package fphash

import "fmt"

// AppendHex appends the fingerprint, of that many bits, as one hexadecimal number: most significant
// digit first, zero-padded to ceil(bits/4) digits, lower case. It panics if bits is less than 1 or
// f does not have ceil(bits/64) words.
func (f Fingerprint) AppendHex(dst []byte, bits int) []byte {
	if bits < 1 || len(f) != wordsFor(bits) {
		panic(fmt.Sprintf("fphash: fingerprint of %d words for %d bits", len(f), bits))
	}
	const digits = "0123456789abcdef"
	for d := (bits+3)/4 - 1; d >= 0; d-- {
		word := f[d/16]
		if d/16 == len(f)-1 {
			word &= lastWordMask(bits)
		}
		dst = append(dst, digits[word>>(uint(d)%16*4)&15])
	}
	return dst
}

// ParseHex reads a fingerprint of that many bits as AppendHex writes it; upper-case digits are
// accepted too. The error says what is wrong and in which column, counted in bytes from 1: the
// number of digits must be ceil(bits/4), and bits from the width up must be zero.
func ParseHex(s string, bits int) (Fingerprint, error) {
	if err := checkBits(bits); err != nil {
		return nil, err
	}
	n := (bits + 3) / 4
	f := make(Fingerprint, wordsFor(bits))
	for i := range len(s) {
		digit, ok := hexDigit(s[i])
		if !ok {
			return nil, fmt.Errorf("fphash: fingerprint %.1040q: column %d: %q is not a hexadecimal digit", s, i+1, s[i])
		}
		if i < n {
			d := n - 1 - i
			f[d/16] |= digit << (uint(d) % 16 * 4)
		}
	}
	if len(s) != n {
		return nil, fmt.Errorf("fphash: fingerprint %.1040q: %d digits, expected %d for %d bits", s, len(s), n, bits)
	}
	if f[len(f)-1]&^lastWordMask(bits) != 0 {
		return nil, fmt.Errorf("fphash: fingerprint %q: column 1: %q sets a bit above the %d wanted", s, s[0], bits)
	}
	return f, nil
}

func hexDigit(c byte) (uint64, bool) {
	switch {
	case '0' <= c && c <= '9':
		return uint64(c - '0'), true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return uint64(c|0x20-'a') + 10, true
	}
	return 0, false
}
