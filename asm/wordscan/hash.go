package wordscan

import (
	"encoding/binary"
	"math/bits"

	"simhashkit/asm/cpu"
)

// Room is the number of bytes that are read from the start of a word. XXH64 does not hash words of
// Room bytes or more, or words that start less than Room bytes before the end of their text.
const Room = 24

// Span is the position of a word in its text: from byte From up to, but not including, byte To.
type Span struct{ From, To int }

// XXH64 stores the 64-bit xxHash (Collet, XXH64 of version 0.8) of words of a text, with seed 0. It
// stops at the first word that it does not hash, and returns the number of hashed words. It panics
// if dst is shorter than words.
func XXH64(dst []uint64, text []byte, words []Span) int {
	return xxh64Of(cpu.Active(), dst, text, words)
}

func xxh64Of(tier cpu.Tier, dst []uint64, text []byte, words []Span) int {
	dst = dst[:len(words)]
	n := xxh64At(tier, dst, text, words)
	return n + xxh64Generic(dst[n:], text, words[n:])
}

func xxh64Generic(dst []uint64, text []byte, words []Span) int {
	for i, w := range words {
		if w.To-w.From >= Room || w.From+Room > len(text) {
			return i
		}
		dst[i] = one((*[Room]byte)(text[w.From:]), w.To-w.From)
	}
	return len(words)
}

// The primes of XXH64.
const (
	prime1 = 0x9E3779B185EBCA87
	prime2 = 0xC2B2AE3D27D4EB4F
	prime3 = 0x165667B19E3779F9
	prime4 = 0x85EBCA77C2B2AE63
	prime5 = 0x27D4EB2F165667C5
)

// one returns the hash of the first size bytes of text, which are fewer than all. Words are short,
// and their lengths are unpredictable. So one computes every step, and selects or discards its
// result without a branch.
func one(text *[Room]byte, size int) uint64 {
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
