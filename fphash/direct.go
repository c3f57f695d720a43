package fphash

import (
	"simhashkit/asm/hashing"
	"simhashkit/fphash/internal/kernels"
)

// direct says which kernel is the definition's hash of integers, and with what to call it.
type direct struct {
	kernel kernel
	seed   uint64
	key    [4]uint64
}

type kernel uint8

const (
	kernelNone kernel = iota // the hash's own method
	kernelXXH64
	kernelSplitMix64
	kernelFmix64
	kernelLookup3
	kernelCRC32C
	kernelRapidHash
	kernelWyHash
	kernelMurmur3
	kernelSipHash
	kernelXXH3
	kernelFNV1a
	kernelFNV1
	kernelMD5
	kernelSHA1
	kernelSHA256
	kernelHighway64
	kernelHighway128
	kernelHighway256
)

// directOf returns the kernel that is h.
func directOf(h Hash) direct {
	switch h := h.(type) {
	case xxh64:
		return direct{kernel: kernelXXH64, seed: h.seed}
	case splitMix64:
		return direct{kernel: kernelSplitMix64, seed: h.seed}
	case fmix64:
		return direct{kernel: kernelFmix64, seed: h.seed}
	case lookup3:
		return direct{kernel: kernelLookup3, seed: h.seed()}
	case rapidhash:
		return direct{kernel: kernelRapidHash, seed: h.seed}
	case wyhash:
		return direct{kernel: kernelWyHash, seed: h.seed}
	case crc32c:
		return direct{kernel: kernelCRC32C}
	case fnv1a:
		return direct{kernel: kernelFNV1a}
	case fnv1:
		return direct{kernel: kernelFNV1}
	case md5Hash:
		return direct{kernel: kernelMD5}
	case sha1Hash:
		return direct{kernel: kernelSHA1}
	case sha256Hash:
		return direct{kernel: kernelSHA256}
	case *highway64:
		return direct{kernel: kernelHighway64, key: h.words}
	case *highway128:
		return direct{kernel: kernelHighway128, key: h.words}
	case *highway256:
		return direct{kernel: kernelHighway256, key: h.words}
	}
	if h, ok := h.(kernels.Hash); ok {
		k, seed, second := h.Kernel()
		switch k {
		case kernels.Murmur3:
			return direct{kernel: kernelMurmur3, seed: seed}
		case kernels.SipHash:
			return direct{kernel: kernelSipHash, key: [4]uint64{seed, second}}
		case kernels.XXH3:
			return direct{kernel: kernelXXH3, seed: seed}
		}
	}
	return direct{}
}

// hashIntegers calls kernels directly: through an interface, the compiler would have to assume that
// the caller's keys are kept, which would move them to the heap. So other hashes get a copy, which
// costs little beside them.
func (c *coder) hashIntegers(dst, keys []uint64) {
	kernel := c.direct.kernel
	if kernel >= kernelHighway64 && highwayByLibrary() {
		kernel = kernelNone
	}
	switch kernel {
	case kernelXXH64:
		hashing.XXH64(dst, keys, c.direct.seed)
	case kernelSplitMix64:
		hashing.SplitMix64(dst, keys, c.direct.seed)
	case kernelFmix64:
		hashing.Fmix64(dst, keys, c.direct.seed)
	case kernelLookup3:
		hashing.Lookup3(dst, keys, c.direct.seed)
	case kernelRapidHash:
		hashing.RapidHash(dst, keys, c.direct.seed)
	case kernelWyHash:
		hashing.WyHash(dst, keys, c.direct.seed)
	case kernelMurmur3:
		hashing.Murmur3(dst, keys, c.direct.seed)
	case kernelSipHash:
		hashing.SipHash(dst, keys, (*[2]uint64)(c.direct.key[:2]))
	case kernelXXH3:
		hashing.XXH3(dst, keys, c.direct.seed)
	case kernelCRC32C:
		hashing.CRC32C(dst, keys)
	case kernelFNV1a:
		hashing.FNV1a(dst, keys)
	case kernelFNV1:
		hashing.FNV1(dst, keys)
	case kernelMD5:
		hashing.MD5(dst, keys)
	case kernelSHA1:
		hashing.SHA1(dst, keys)
	case kernelSHA256:
		hashing.SHA256(dst, keys)
	case kernelHighway64:
		hashing.Highway64(dst, keys, &c.direct.key)
	case kernelHighway128:
		hashing.Highway128(dst, keys, &c.direct.key)
	case kernelHighway256:
		hashing.Highway256(dst, keys, &c.direct.key)
	default:
		copied := c.keys[:len(keys)]
		copy(copied, keys)
		c.hash.HashUint64s(dst, copied)
	}
}
