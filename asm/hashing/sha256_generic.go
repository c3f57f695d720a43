package hashing

import (
	"crypto/sha256"
	"encoding/binary"
)

func sha256Generic(dst, keys []uint64) {
	var message [8]byte
	sha256Each(dst, keys, len(keys), message[:])
}

func sha256CounterGeneric(dst, keys []uint64, counter byte) {
	message := [9]byte{8: counter}
	sha256Each(dst, keys, len(keys), message[:])
}

// sha256Each hashes one key after the other by the library, which has assembly of its own on most
// machines. The key takes the place of the first 8 bytes of the message.
func sha256Each(dst, keys []uint64, stride int, message []byte) {
	for i, key := range keys {
		binary.LittleEndian.PutUint64(message, key)
		digest := sha256.Sum256(message)
		for t := range 4 {
			dst[t*stride+i] = binary.LittleEndian.Uint64(digest[8*t:])
		}
	}
}
