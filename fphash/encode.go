package fphash

import (
	"fmt"
	"math/bits"
	"reflect"

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
