package text

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// appendHashes appends the XXH64 of parts of a text.
func appendHashes(dst []uint64, text []byte, spans []span) []uint64 {
	at := len(dst)
	dst = slices.Grow(dst, len(spans))[:at+len(spans)]
	for i, s := range spans {
		if s.to-s.from < hashedAtOnce && s.from+hashedAtOnce <= len(text) {
			dst[at+i] = hashShort((*[hashedAtOnce]byte)(text[s.from:]), s.to-s.from)
		} else {
			dst[at+i] = xxhash.Sum64(text[s.from:s.to])
		}
	}
	return dst
}

// hashedAtOnce is how many bytes hashShort reads, of a word and behind it.
const hashedAtOnce = 24

// The primes of XXH64.
const (
	prime1 = 0x9E3779B185EBCA87
	prime2 = 0xC2B2AE3D27D4EB4F
	prime3 = 0x165667B19E3779F9
	prime4 = 0x85EBCA77C2B2AE63
	prime5 = 0x27D4EB2F165667C5
)

// hashShort returns the XXH64 of the first bytes, which are fewer than all (Collet, version 0.8,
// from step 5 on). Words are short, and nothing predicts how short: so each step is done, and its
// result taken or not, without a branch. The library takes twice as long.
func hashShort(text *[hashedAtOnce]byte, size int) uint64 {
	sum := prime5 + uint64(size)
	word, next := binary.LittleEndian.Uint64(text[:]), binary.LittleEndian.Uint64(text[8:])
	if size >= 16 {
		sum, word, next = addEight(sum, word), next, binary.LittleEndian.Uint64(text[16:])
		size -= 8
	}
	if eight := addEight(sum, word); size >= 8 {
		sum, word = eight, next
	}
	if four := bits.RotateLeft64(sum^uint64(uint32(word))*prime1, 23)*prime2 + prime3; size&4 != 0 {
		sum, word = four, word>>32
	}
	if one := addOne(sum, byte(word)); size&3 > 0 {
		sum = one
	}
	if one := addOne(sum, byte(word>>8)); size&3 > 1 {
		sum = one
	}
	if one := addOne(sum, byte(word>>16)); size&3 > 2 {
		sum = one
	}
	sum = (sum ^ sum>>33) * prime2
	sum = (sum ^ sum>>29) * prime3
	return sum ^ sum>>32
}

func addEight(sum, eight uint64) uint64 {
	sum ^= bits.RotateLeft64(eight*prime2, 31) * prime1
	return bits.RotateLeft64(sum, 27)*prime1 + prime4
}

func addOne(sum uint64, one byte) uint64 {
	return bits.RotateLeft64(sum^uint64(one)*prime5, 11) * prime1
}
