package conventions

import (
	"encoding/binary"

	"github.com/zeebo/blake3"

	"simhashkit/fphash"
)

// The hashes that package fphash has not.
const (
	sipHash128   = "siphash-128"
	blake3Hash   = "blake3"
	digest       = "digest"
	pythonString = "python-string"
	stream       = "splitmix64-stream"
	transposed   = "splitmix64-transposed"
)

// ownFamily returns a hash that package fphash has not. A digest and a generator have as many bits
// as are wanted.
func ownFamily(name string, bits int) (fphash.Family, bool) {
	switch name {
	case sipHash128:
		return fphash.Family{Name: name, Bits: 128, KeyBytes: sipHashKeyBytes, New: func(k fphash.Key) (fphash.Hash, error) {
			return newSipHash(k.Bytes, true)
		}}, true
	case blake3Hash:
		return fphash.FromFunc(name, 256, func(dst []uint64, data []byte) {
			sum := blake3.Sum256(data)
			putDigest(dst, sum[:])
		}), true
	case digest:
		return fphash.FromFunc(name, bits, putDigest), true
	case pythonString:
		return fphash.FromFunc(name, 64, func(dst []uint64, data []byte) { dst[0] = hashPythonString(data) }), true
	case stream, transposed: // appendGenerated makes its codes
		return fphash.Family{Name: name, Bits: bits, Integer: true}, true
	}
	return fphash.Family{}, false
}

// putDigest stores as much of a digest as there is room for as a code: its bytes read
// little-endian. What is missing is zeros.
func putDigest(dst []uint64, data []byte) {
	for t := range dst {
		if len(data) < 8 {
			var last [8]byte
			copy(last[:], data)
			dst[t] = binary.LittleEndian.Uint64(last[:])
			return
		}
		dst[t], data = binary.LittleEndian.Uint64(data), data[8:]
	}
}
