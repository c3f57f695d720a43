package fphash

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"simhashkit/asm/accumulate"
	"simhashkit/asm/hashing"
	"simhashkit/asm/minhash"
	"simhashkit/fphash/internal/kernels"
)

// encode hashes n features, at most a chunk. Element t·n+i of the result is word t of the code of
// feature i. The result is valid until the next call. With MinHash, word 0 is the key, computed
// from word 0 of the code.
func (b *buffers) encode(features column) []uint64 {
	codes := b.codes[:features.len*b.codeWords]
	switch {
	case isBytes(features.kind):
		b.hashKeys(codes, features)
	case b.encoding == LE64:
		b.hashIntegers(codes, b.indices(features))
	case b.encoding == BE64:
		// The hash of the big-endian bytes equals the hash of the little-endian bytes of the number
		// with its bytes reversed.
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

// hashKeys hashes byte strings. For the default hash it does not copy them, which is faster.
func (b *buffers) hashKeys(codes []uint64, keys column) {
	if h, ok := b.hash.(xxh64); ok {
		h.hashKeys(codes, keys)
		return
	}
	text, ends := b.byteStrings(keys)
	b.bytes.HashBytes(codes, text, ends)
}

// hashIntegers calls the hashes that have kernels through their concrete types. With a call through
// an interface, the compiler would assume that the hash keeps the caller's keys, and would move
// them to the heap. Other hashes get a copy, which costs little in comparison.
func (b *buffers) hashIntegers(codes, keys []uint64) {
	switch h := b.hash.(type) {
	case xxh64:
		h.HashUint64s(codes, keys)
	case splitMix64:
		h.HashUint64s(codes, keys)
	case fmix64:
		h.HashUint64s(codes, keys)
	case murmur32:
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
	case digestHash:
		h.HashUint64s(codes, keys)
	case *highway:
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

// checkVector returns an error for features that the hash does not take, and for weights that the
// definition does not take.
func (d *definition) checkVector(features, weights column) error {
	if err := d.checkWeights(weights.kind); err != nil {
		return err
	}
	return d.checkFeatures(features.kind)
}

// checkWeights returns an error for weights with MinHash, and for floating-point weights of another
// type than the lanes.
func (d *definition) checkWeights(kind reflect.Kind) error {
	switch {
	case d.minhash && kind != unit:
		return errWeights
	case kind == d.refused:
		return fmt.Errorf("%w: %v weights, expected %v; Definition.Float32 chooses the type", ErrMismatch, kind, floatKind(d.float32))
	}
	return nil
}

// checkFeatures returns an error for features that the hash does not take.
func (d *definition) checkFeatures(kind reflect.Kind) error {
	if d.bytes == nil && isBytes(kind) { // bytes is rarely nil and cheap to test
		return d.errNoBytes("byte strings are")
	}
	return nil
}

// errNoBytes returns the error for a hash of integers. what names the feature that needs byte
// strings.
func (d *definition) errNoBytes(what string) error {
	return fmt.Errorf("fphash: hash %s takes integers only (it is no ByteHash); %s for hashes of bytes", d.family.Name, what)
}

// Encoding is the way in which an index is written as bytes, which are then hashed. Fingerprints
// with different encodings cannot be compared, and weak hashes (FNV) are much weaker with some
// encodings than with others.
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

// AppendIndex appends the encoded index. It panics if e is not one of the constants.
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
	written   = 24 // bytes of the three words that appendDigits writes for each index
)

// appendDigits appends indices as decimal digits, one after the other, and stores where each ends.
// It has no branch and no loop per digit.
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

// putDigits writes digits from 0 to 9 as ASCII, without the leading zeros of the first word. It
// returns the number of digits of the first word, at least one.
func putDigits(to []byte, first, second, third uint64) int {
	zeros := uint(bits.TrailingZeros64(first|1<<56)) & 56 // bits of leading zeros
	first, second, third = first|'0'*eachByte, second|'0'*eachByte, third|'0'*eachByte
	binary.LittleEndian.PutUint64(to, first>>zeros|second<<1<<(63-zeros&63))
	binary.LittleEndian.PutUint64(to[8:], second>>zeros|third<<1<<(63-zeros&63))
	binary.LittleEndian.PutUint64(to[16:], third>>zeros)
	return 8 - int(zeros/8)
}

// eightDigits returns the digits of a number below 10^8 as bytes from 0 to 9, the first digit in
// the lowest byte. Each step splits all parts of the word in half: 8 digits into 4 and 4, and so
// on. Multiplication and shift give exact quotients for numbers with so few digits.
func eightDigits(n uint64) uint64 {
	quotients := n * 109951163 >> 40 // by 10000
	n = quotients | (n-quotients*10000)<<32
	quotients = n * 10486 >> 20 & (0x7f * (1<<32 + 1)) // by 100, in two halves
	n = quotients | (n-quotients*100)<<16
	quotients = n * 103 >> 10 & (0xf * (1<<48 + 1<<32 + 1<<16 + 1)) // by 10, in four quarters
	return quotients | (n-quotients*10)<<8
}

// column is a slice of features or weights of any type. With it, the code behind the generic
// exported functions is written and compiled once, and uses the type only where it reads elements.
type column struct {
	kind reflect.Kind // of the elements; int is replaced by int32 or int64
	size uintptr      // of an element, in bytes
	data unsafe.Pointer
	len  int
}

// columnOf returns a slice as a column.
func columnOf[T Feature | Weight](list []T) column {
	return column{kindOf[T](), unsafe.Sizeof(*new(T)), unsafe.Pointer(unsafe.SliceData(list)), len(list)}
}

// unit is the kind of a column of weights that are all 1. Such a column needs no memory.
const unit = reflect.Invalid

// units returns n weights of 1.
func units(n int) column { return column{kind: unit, len: n} }

// slice returns the elements [from, to).
func (c column) slice(from, to int) column {
	if from < to { // an empty slice may start after the last element, which has no address
		c.data = unsafe.Add(c.data, uintptr(from)*c.size)
	}
	c.len = to - from
	return c
}

// elements returns a column as a slice of T, which must match its kind.
func elements[T any](c column) []T { return unsafe.Slice((*T)(c.data), c.len) }

// kindOf returns the kind of a type; for int, int32 or int64.
func kindOf[T any]() reflect.Kind {
	kind := reflect.TypeFor[T]().Kind()
	if kind != reflect.Int {
		return kind
	}
	if strconv.IntSize == 32 {
		return reflect.Int32
	}
	return reflect.Int64
}

// isBytes reports whether features of the kind are byte strings.
func isBytes(kind reflect.Kind) bool { return kind == reflect.String || kind == reflect.Slice }

// Feature is the type of a feature: the number of a dimension, or a byte string such as a word.
// Byte strings are hashed unchanged; the encoding applies only to indices. A string and a []byte
// with the same bytes are the same feature.
type Feature interface {
	~uint32 | ~uint64 | ~string | ~[]byte
}

// Weight is the type of the value of a vector in a dimension. Integers are summed in int64, which
// wraps on overflow. Floating-point weights must have the type that Definition.Float32 chooses,
// in which they are summed. Integers other than int32 are converted first, a few hundred at a time,
// which costs little. Integers that do not fit in int32 take longer to add.
type Weight interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint8 | ~uint16 | ~uint32 | ~float32 | ~float64
}

// Callers pass features of four types and weights of ten. Hashes take 64-bit indices, or
// concatenated byte strings; the kernels of accumulate take weights of four types. The functions of
// this file convert at most a chunk at a time, so that later code need not handle the callers'
// types.

// keptText is the maximum capacity in bytes of the buffer for byte strings that is kept between
// calls. Words need a hundredth of it, and a single huge key must not occupy memory forever.
const keptText = 1 << 20

// indices returns features that are not byte strings as 64-bit indices, valid until the next call.
func (b *buffers) indices(features column) []uint64 {
	if features.kind == reflect.Uint64 {
		return elements[uint64](features)
	}
	return b.keys[:copyIndices(b.keys, features)]
}

// copyIndices stores 32-bit or 64-bit indices, and returns their number.
func copyIndices(dst []uint64, features column) int {
	if features.kind == reflect.Uint64 {
		return copy(dst, elements[uint64](features))
	}
	for i, index := range elements[uint32](features) {
		dst[i] = uint64(index)
	}
	return features.len
}

// byteStrings concatenates features that are byte strings, for a batch function. The copy also
// keeps the caller's strings from escaping. String i ends at ends[i].
func (b *buffers) byteStrings(features column) (text []byte, ends []int) {
	text, ends = b.text[:0], b.ends[:features.len]
	if features.kind == reflect.String {
		text = appendKeys(text, ends, elements[string](features))
	} else {
		text = appendKeys(text, ends, elements[[]byte](features))
	}
	if b.text = text; cap(text) > keptText {
		b.text = nil
	}
	return text, ends
}

func appendKeys[K string | []byte](text []byte, ends []int, keys []K) []byte {
	for i, key := range keys {
		text = append(text, key...)
		ends[i] = len(text)
	}
	return text
}

// native returns weights as a type with kernels, valid until the next call. Integers become int32
// if all of them fit, because the kernels for int32 are faster than those for int64 and give the
// same sums.
func (b *buffers) native(weights column) column {
	switch weights.kind {
	case reflect.Int32, reflect.Float32, reflect.Float64, unit:
		return weights
	}
	return b.converted(weights)
}

// converted is native for types without kernels.
func (b *buffers) converted(weights column) column {
	narrow, fit := b.narrow[:weights.len], true
	switch weights.kind {
	case reflect.Int8:
		fit = toInt32(narrow, elements[int8](weights))
	case reflect.Int16:
		fit = toInt32(narrow, elements[int16](weights))
	case reflect.Int64:
		wide := elements[int64](weights)
		first := min(len(narrow), 16) // large weights are rarely few, so try 16 first
		fit = accumulate.Narrow(narrow[:first], wide[:first]) && accumulate.Narrow(narrow, wide[:len(narrow)])
	case reflect.Uint8:
		fit = toInt32(narrow, elements[uint8](weights))
	case reflect.Uint16:
		fit = toInt32(narrow, elements[uint16](weights))
	case reflect.Uint32:
		fit = toInt32(narrow, elements[uint32](weights))
	}
	switch {
	case fit:
		return columnOf(narrow)
	case weights.kind == reflect.Int64:
		return weights
	}
	wide := b.wide[:weights.len]
	for i, w := range elements[uint32](weights) {
		wide[i] = int64(w)
	}
	return columnOf(wide)
}

// toInt32 converts len(dst) weights, and reports whether all of them fit in int32.
func toInt32[W int8 | int16 | uint8 | uint16 | uint32](dst []int32, weights []W) bool {
	var beyond uint64
	for i, w := range weights[:len(dst)] {
		dst[i] = int32(w)
		beyond |= uint64(int64(w)) + 1<<31
	}
	return beyond>>32 == 0
}
