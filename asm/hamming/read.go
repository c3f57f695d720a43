package hamming

import "simhashkit/asm/cpu"

// ReadKernel is one implementation of Read.
type ReadKernel struct {
	cpu.Kernel
	Read func(words []uint64) uint64
}

var readGenericKernel = ReadKernel{cpu.Kernel{Name: "generic"}, readGeneric}

func readGeneric(words []uint64) uint64 {
	var a, b, c, d, e, f, g, h uint64
	for len(words) >= 8 {
		w := (*[8]uint64)(words)
		words = words[8:]
		a, b, c, d, e, f, g, h = a^w[0], b^w[1], c^w[2], d^w[3], e^w[4], f^w[5], g^w[6], h^w[7]
	}
	for _, w := range words {
		a ^= w
	}
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h
}
