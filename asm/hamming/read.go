package hamming

import "simhashkit/asm/cpu"

// ReadKernel is one implementation of Read.
type ReadKernel struct {
	cpu.Kernel
	Read func(words []uint64) uint64
}

// ReadKernels returns the implementations of Read, fastest first, generic last.
func ReadKernels() (list []ReadKernel) {
	for _, k := range readKernels {
		list = append(list, ReadKernel{k, func(words []uint64) uint64 { return readAt(k.Usable(), words) }})
	}
	return list
}

// Read reads all words and returns their exclusive or: what a scan costs when it does nothing but
// read, the roof that scans are measured against.
func Read(words []uint64) uint64 { return readAt(cpu.Active(), words) }

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
