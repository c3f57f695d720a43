package hashing

import (
	"crypto/sha1"
	"encoding/binary"
)

func sha1Generic(dst, keys []uint64) {
	var message [8]byte
	sha1Each(dst, keys, len(keys), message[:])
}

func sha1CounterGeneric(dst, keys []uint64, counter byte) {
	message := [9]byte{8: counter}
	sha1Each(dst, keys, len(keys), message[:])
}

// sha1Each hashes one key after the other by the library, which has assembly of its own on most
// machines. The key takes the place of the first 8 bytes of the message.
func sha1Each(dst, keys []uint64, stride int, message []byte) {
	for i, key := range keys {
		binary.LittleEndian.PutUint64(message, key)
		digest := sha1.Sum(message)
		dst[i] = binary.LittleEndian.Uint64(digest[:])
		dst[stride+i] = binary.LittleEndian.Uint64(digest[8:])
		dst[2*stride+i] = uint64(binary.LittleEndian.Uint32(digest[16:]))
	}
}
