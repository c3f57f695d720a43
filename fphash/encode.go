package fphash

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strconv"

	"simhashkit/asm/hashing"
	"simhashkit/asm/minhash"
	"simhashkit/fphash/internal/kernels"
)

// encode hashes at most a chunk of features. Word t of the code of feature i is at [t·n+i], n being
// the number of features; it stays there until the next call. By MinHash word 0 is the key, which
// is made of that of the code.
func (b *buffers) encode(features column) []uint64 {
	codes := b.codes[:features.len*b.codeWords]
	switch {
	case isBytes(features.kind):
		b.hashKeys(codes, features)
	case b.encoding == LE64:
		b.hashIntegers(codes, b.indices(features))
	case b.encoding == BE64:
		// the hash of the big-endian bytes is the hash of the little-endian bytes of the number
		// read backwards
		keys := b.keys[:features.len]
		for i, index := range b.indices(features) {
			keys[i] = bits.ReverseBytes64(index)
		}
		b.hashIntegers(codes, keys)
	default:
		ends := b.ends[:features.len]
		b.text = appendDigits(b.text[:0], ends, b.indices(features))
		b.bytes.HashBytes(codes, b.text, ends)
	}
	if b.minhash {
		minhash.Keys(codes[:features.len], codes[:features.len])
	}
	return codes
}

// hashKeys hashes byte strings: those of the default hash where they are, which is fastest.
func (b *buffers) hashKeys(codes []uint64, keys column) {
	if h, ok := b.hash.(xxh64); ok {
		h.hashKeys(codes, keys)
		return
	}
	text, ends := b.byteStrings(keys)
	b.bytes.HashBytes(codes, text, ends)
}

// hashIntegers calls the hashes that have kernels by their types: through an interface, the
// compiler would have to assume that the caller's keys are kept, which would move them to the heap.
// So other hashes get a copy, which costs little beside them.
func (b *buffers) hashIntegers(codes, keys []uint64) {
	switch h := b.hash.(type) {
	case xxh64:
		h.HashUint64s(codes, keys)
	case splitMix64:
		h.HashUint64s(codes, keys)
	case fmix64:
		h.HashUint64s(codes, keys)
	case komihash:
		h.HashUint64s(codes, keys)
	case lookup3:
		h.HashUint64s(codes, keys)
	case rapidhash:
		h.HashUint64s(codes, keys)
	case wyhash:
		h.HashUint64s(codes, keys)
	case crc32c:
		h.HashUint64s(codes, keys)
	case fnv1a:
		h.HashUint64s(codes, keys)
	case fnv1:
		h.HashUint64s(codes, keys)
	case md5Hash:
		h.HashUint64s(codes, keys)
	case sha1Hash:
		h.HashUint64s(codes, keys)
	case sha256Hash:
		h.HashUint64s(codes, keys)
	case *highway64:
		h.HashUint64s(codes, keys)
	case *highway128:
		h.HashUint64s(codes, keys)
	case *highway256:
		h.HashUint64s(codes, keys)
	case kernels.Hash: // of another package
		switch kernel, seed, second := h.Kernel(); kernel {
		case kernels.Murmur3:
			hashing.Murmur3(codes, keys, seed)
		case kernels.SipHash:
			hashing.SipHash(codes, keys, &[2]uint64{seed, second})
		case kernels.XXH3:
			hashing.XXH3(codes, keys, seed)
		}
	default:
		copied := b.keys[:len(keys)]
		copy(copied, keys)
		h.HashUint64s(codes, copied)
	}
}

// checkVector reports features that the hash does not take, and weights of a set.
func (d *definition) checkVector(features, weights column) error {
	if d.minhash && weights.kind != unit {
		return errWeights
	}
	return d.checkFeatures(features.kind)
}

// checkFeatures reports features that the hash does not take.
func (d *definition) checkFeatures(kind reflect.Kind) error {
	if d.bytes == nil && isBytes(kind) { // seldom, and asked first, since it costs less
		return d.errNoBytes("byte strings are")
	}
	return nil
}

// errNoBytes says that the hash does not do for what takes byte strings.
func (d *definition) errNoBytes(what string) error {
	return fmt.Errorf("fphash: hash %s takes integers only (it is no ByteHash); %s for hashes of bytes", d.family.Name, what)
}

// Encoding says how an index is written as bytes, which are then hashed. Fingerprints made with
// different encodings cannot be compared, and weak hashes (FNV) are far weaker with some encodings
// than with others.
type Encoding uint8

// The encodings.
const (
	LE64 Encoding = iota // 8 bytes, least significant first: the default
	BE64                 // 8 bytes, most significant first
	Dec                  // decimal digits as text, no leading zeros
)

var encodingNames = [...]string{LE64: "le64", BE64: "be64", Dec: "dec"}

// String returns the encoding's name: le64, be64 or dec.
func (e Encoding) String() string { return nameOf(e, encodingNames[:], "Encoding") }

// AppendIndex appends the bytes of an index. It panics if e is not one of the constants.
func (e Encoding) AppendIndex(dst []byte, index uint64) []byte {
	switch e {
	case LE64:
		return binary.LittleEndian.AppendUint64(dst, index)
	case BE64:
		return binary.BigEndian.AppendUint64(dst, index)
	case Dec:
		return strconv.AppendUint(dst, index, 10)
	}
	panic(fmt.Sprintf("fphash: there is no %v", e))
}

const (
	maxDigits = 20 // of an index in decimal
	written   = 24 // bytes of three words that appendDigits writes at each index
)

// appendDigits appends indices in decimal digits, one behind the other, and stores where each ends.
// It does without a branch or a loop for each digit.
func appendDigits[I uint32 | uint64](text []byte, ends []int, indices []I) []byte {
	text = slices.Grow(text, len(indices)*maxDigits+written)
	at := len(text)
	for i, index := range indices {
		to := text[at : at+written : at+written]
		switch n := uint64(index); {
		case n < 1e8:
			at += putDigits(to, eightDigits(n), 0, 0)
		case n < 1e16:
			high := n / 1e8
			at += 8 + putDigits(to, eightDigits(high), eightDigits(n-high*1e8), 0)
		default:
			high := n / 1e8
			highest := high / 1e8
			at += 16 + putDigits(to, eightDigits(highest), eightDigits(high-highest*1e8), eightDigits(n-high*1e8))
		}
		ends[i] = at
	}
	return text[:at]
}

const eachByte = 0x0101010101010101

// putDigits writes digits from 0 to 9 as ASCII, but for leading zeros of the first word. It returns
// how many digits of that word are left, at least one.
func putDigits(to []byte, first, second, third uint64) int {
	zeros := uint(bits.TrailingZeros64(first|1<<56)) & 56 // bits of leading zeros
	first, second, third = first|'0'*eachByte, second|'0'*eachByte, third|'0'*eachByte
	binary.LittleEndian.PutUint64(to, first>>zeros|second<<1<<(63-zeros&63))
	binary.LittleEndian.PutUint64(to[8:], second>>zeros|third<<1<<(63-zeros&63))
	binary.LittleEndian.PutUint64(to[16:], third>>zeros)
	return 8 - int(zeros/8)
}

// eightDigits returns the digits of a number below 10^8 as bytes from 0 to 9, the first one lowest.
// Each step halves all parts of the word: 8 digits become 4 and 4, and so on. Quotients are those
// of a multiplication and a shift, exact for numbers of so many digits.
func eightDigits(n uint64) uint64 {
	quotients := n * 109951163 >> 40 // by 10000
	n = quotients | (n-quotients*10000)<<32
	quotients = n * 10486 >> 20 & (0x7f * (1<<32 + 1)) // by 100, in two halves
	n = quotients | (n-quotients*100)<<16
	quotients = n * 103 >> 10 & (0xf * (1<<48 + 1<<32 + 1<<16 + 1)) // by 10, in four quarters
	return quotients | (n-quotients*10)<<8
}
