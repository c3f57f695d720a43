package fphash

import (
	"simhashkit/asm/hashing"
	"simhashkit/fphash/internal/kernels"
)

// hashIntegers calls the hashes that have kernels by their types: through an interface, the
// compiler would have to assume that the caller's keys are kept, which would move them to the heap.
// So other hashes get a copy, which costs little beside them.
func (c *coder) hashIntegers(dst, keys []uint64) {
	switch h := c.hash.(type) {
	case xxh64:
		h.HashUint64s(dst, keys)
	case splitMix64:
		h.HashUint64s(dst, keys)
	case fmix64:
		h.HashUint64s(dst, keys)
	case lookup3:
		h.HashUint64s(dst, keys)
	case rapidhash:
		h.HashUint64s(dst, keys)
	case wyhash:
		h.HashUint64s(dst, keys)
	case crc32c:
		h.HashUint64s(dst, keys)
	case fnv1a:
		h.HashUint64s(dst, keys)
	case fnv1:
		h.HashUint64s(dst, keys)
	case md5Hash:
		h.HashUint64s(dst, keys)
	case sha1Hash:
		h.HashUint64s(dst, keys)
	case sha256Hash:
		h.HashUint64s(dst, keys)
	case *highway64:
		h.HashUint64s(dst, keys)
	case *highway128:
		h.HashUint64s(dst, keys)
	case *highway256:
		h.HashUint64s(dst, keys)
	default:
		if !c.hashByKernel(dst, keys) {
			copied := c.keys[:len(keys)]
			copy(copied, keys)
			c.hash.HashUint64s(dst, copied)
		}
	}
}

// hashByKernel calls the kernel that a hash of another package is, and reports whether it is one.
func (c *coder) hashByKernel(dst, keys []uint64) bool {
	h, ok := c.hash.(kernels.Hash)
	if !ok {
		return false
	}
	switch kernel, seed, second := h.Kernel(); kernel {
	case kernels.Murmur3:
		hashing.Murmur3(dst, keys, seed)
	case kernels.SipHash:
		hashing.SipHash(dst, keys, &[2]uint64{seed, second})
	case kernels.XXH3:
		hashing.XXH3(dst, keys, seed)
	}
	return true
}
