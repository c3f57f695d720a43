package hashing

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"

	"simhashkit/asm/cpu"
)

// MD5 fills dst with the MD5 digests (RFC 1321) of the keys, each digest read as two little-endian
// words: word 0 of all keys, then word 1 of all keys. If counter is not 0, the message is the 8
// bytes of a key followed by the counter as the ninth byte.
//
// dst has two words per key: the words of keys[i] are dst[i] and dst[len(keys)+i]. It must not
// overlap keys.
func MD5(dst, keys []uint64, counter byte) {
	md5At(cpu.Active(), dst, keys, counter)
}

// SHA1 fills dst with the SHA-1 digests (FIPS 180-4) of the keys, the bytes of each digest read as
// little-endian words: word 0 of all keys, then word 1 of all keys, then word 2 of all keys, whose
// upper half is 0. A counter other than 0 is the ninth byte, as for MD5.
//
// dst has three words per key: word t of keys[i] is dst[t*len(keys)+i]. It must not overlap keys.
func SHA1(dst, keys []uint64, counter byte) {
	sha1At(cpu.Active(), dst, keys, counter)
}

// SHA256 fills dst with the SHA-256 digests (FIPS 180-4) of the keys, the bytes of each digest read
// as little-endian words: word 0 of all keys, then word 1 of all keys, and so on. A counter other
// than 0 is the ninth byte, as for MD5.
//
// dst has four words per key: word t of keys[i] is dst[t*len(keys)+i]. It must not overlap keys.
func SHA256(dst, keys []uint64, counter byte) {
	sha256At(cpu.Active(), dst, keys, counter)
}

//lint:ignore U1000 only some architectures use it
func md5Generic(dst, keys []uint64, counter byte) { md5Each(dst, keys, len(keys), counter) }

//lint:ignore U1000 only some architectures use it
func sha1Generic(dst, keys []uint64, counter byte) { sha1Each(dst, keys, len(keys), counter) }

//lint:ignore U1000 only some architectures use it
func sha256Generic(dst, keys []uint64, counter byte) { sha256Each(dst, keys, len(keys), counter) }

// The functions below hash one key after the other with the library, which has its own assembly on
// most machines. Word t of the digest of keys[i] goes to dst[t*stride+i].

func md5Each(dst, keys []uint64, stride int, counter byte) {
	var room [9]byte
	message := messageIn(&room, counter)
	for i, key := range keys {
		binary.LittleEndian.PutUint64(message, key)
		digest := md5.Sum(message)
		dst[i], dst[stride+i] = binary.LittleEndian.Uint64(digest[:8]), binary.LittleEndian.Uint64(digest[8:])
	}
}

func sha1Each(dst, keys []uint64, stride int, counter byte) {
	var room [9]byte
	message := messageIn(&room, counter)
	for i, key := range keys {
		binary.LittleEndian.PutUint64(message, key)
		digest := sha1.Sum(message)
		dst[i] = binary.LittleEndian.Uint64(digest[:])
		dst[stride+i] = binary.LittleEndian.Uint64(digest[8:])
		dst[2*stride+i] = uint64(binary.LittleEndian.Uint32(digest[16:]))
	}
}

func sha256Each(dst, keys []uint64, stride int, counter byte) {
	var room [9]byte
	message := messageIn(&room, counter)
	for i, key := range keys {
		binary.LittleEndian.PutUint64(message, key)
		digest := sha256.Sum256(message)
		for t := range 4 {
			dst[t*stride+i] = binary.LittleEndian.Uint64(digest[8*t:])
		}
	}
}

// messageIn returns the message for a counter. The caller puts keys in its first 8 bytes.
func messageIn(room *[9]byte, counter byte) []byte {
	room[8] = counter
	return room[:8+min(counter, 1)]
}
