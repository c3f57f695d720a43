package classes

import (
	"encoding/binary"
	"math/bits"

	"simhashkit/asm/cpu"
)

// LowerKernel is one implementation of Lower.
type LowerKernel struct {
	cpu.Kernel
	Lower func(dst, text []byte) int
}

// LowerKernels returns the implementations of Lower, fastest first, generic last.
func LowerKernels() (list []LowerKernel) {
	for _, k := range lowerKernels {
		list = append(list, LowerKernel{k, func(dst, text []byte) int { return lowerOf(k.Usable(), dst, text) }})
	}
	return list
}

// Lower copies the bytes of ASCII that a text begins with to dst, letters as lower-case ones, and
// returns how many. It panics if dst is shorter than the text. dst may be the text.
func Lower(dst, text []byte) int { return lowerOf(cpu.Active(), dst, text) }

func lowerOf(tier cpu.Tier, dst, text []byte) int {
	dst = dst[:len(text)]
	n := lowerAt(tier, dst, text)
	return n + lowerGeneric(dst[n:], text[n:])
}

const (
	eachByte = 0x0101010101010101
	topBits  = 0x80 * eachByte
)

// lowerGeneric takes eight bytes at a time.
func lowerGeneric(dst, text []byte) (n int) {
	for ; n+8 <= len(text); n += 8 {
		eight := binary.LittleEndian.Uint64(text[n:])
		others := eight & topBits
		if others != 0 {
			text = text[:n+bits.TrailingZeros64(others)/8]
			break
		}
		upper := (eight + (0x80-'A')*eachByte) &^ (eight + (0x7f-'Z')*eachByte) & topBits
		binary.LittleEndian.PutUint64(dst[n:], eight|upper>>2) // 0x80 becomes 0x20
	}
	for ; n < len(text) && text[n] < 0x80; n++ {
		dst[n] = text[n]
		if text[n]-'A' < 26 {
			dst[n] |= 0x20
		}
	}
	return n
}
