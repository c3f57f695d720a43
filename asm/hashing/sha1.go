package hashing

import (
	"crypto/sha1"
	"encoding/binary"

	"simhashkit/asm/cpu"
)

// SHA1 fills dst with the SHA-1 digests (FIPS 180-4) of the keys, the bytes of each digest read as
// little-endian words: word 0 of all keys, then word 1 of all keys, then word 2 of all keys, whose
// upper half is 0.
//
// dst has three words per key: word t of keys[i] is dst[t*len(keys)+i]. It must not overlap keys.
func SHA1(dst, keys []uint64) {
	sha1At(cpu.Active(), dst, keys)
}

// SHA1Counter is SHA1 of a key's 8 bytes followed by the counter as the ninth byte.
func SHA1Counter(dst, keys []uint64, counter byte) {
	sha1CounterAt(cpu.Active(), dst, keys, counter)
}

//lint:ignore U1000 only some architectures use it
func sha1Generic(dst, keys []uint64) {
	var message [8]byte
	sha1Each(dst, keys, len(keys), message[:])
}

//lint:ignore U1000 only some architectures use it
func sha1CounterGeneric(dst, keys []uint64, counter byte) {
	message := [9]byte{8: counter}
	sha1Each(dst, keys, len(keys), message[:])
}

// sha1Each hashes one key after the other with the library, which has its own assembly on most
// machines. The key replaces the first 8 bytes of the message.
func sha1Each(dst, keys []uint64, stride int, message []byte) {
	for i, key := range keys {
		binary.LittleEndian.PutUint64(message, key)
		digest := sha1.Sum(message)
		dst[i] = binary.LittleEndian.Uint64(digest[:])
		dst[stride+i] = binary.LittleEndian.Uint64(digest[8:])
		dst[2*stride+i] = uint64(binary.LittleEndian.Uint32(digest[16:]))
	}
}
