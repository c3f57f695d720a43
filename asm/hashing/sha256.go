package hashing

import (
	"crypto/sha256"
	"encoding/binary"

	"simhashkit/asm/cpu"
)

// SHA256 fills dst with the SHA-256 digests (FIPS 180-4) of the keys, the bytes of each digest read
// as little-endian words: word 0 of all keys, then word 1 of all keys, and so on.
//
// dst has four words per key: word t of keys[i] is dst[t*len(keys)+i]. It must not overlap keys.
func SHA256(dst, keys []uint64) {
	sha256At(cpu.Active(), dst, keys)
}

// SHA256Counter is SHA256 of a key's 8 bytes followed by the counter as the ninth byte.
func SHA256Counter(dst, keys []uint64, counter byte) {
	sha256CounterAt(cpu.Active(), dst, keys, counter)
}

//lint:ignore U1000 only some architectures use it
func sha256Generic(dst, keys []uint64) {
	var message [8]byte
	sha256Each(dst, keys, len(keys), message[:])
}

//lint:ignore U1000 only some architectures use it
func sha256CounterGeneric(dst, keys []uint64, counter byte) {
	message := [9]byte{8: counter}
	sha256Each(dst, keys, len(keys), message[:])
}

// sha256Each hashes one key after the other with the library, which has its own assembly on most
// machines. The key replaces the first 8 bytes of the message.
func sha256Each(dst, keys []uint64, stride int, message []byte) {
	for i, key := range keys {
		binary.LittleEndian.PutUint64(message, key)
		digest := sha256.Sum256(message)
		for t := range 4 {
			dst[t*stride+i] = binary.LittleEndian.Uint64(digest[8*t:])
		}
	}
}
