package main

import (
	"math/rand/v2"

	"simhashkit/asm/hashing"
)

// hash calls the kernel of a hash on the keys, and reports whether there is such a kernel.
func hash(op, kernel string, keys []uint64, r *rand.Rand) bool {
	dst := make([]uint64, 4*len(keys))
	one, two, three := dst[:len(keys)], dst[:2*len(keys)], dst[:3*len(keys)]
	seed, key := r.Uint64(), [4]uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
	switch op {
	case "fmix64":
		return called(hashing.Fmix64Kernels(), kernel, func(k hashing.SeededKernel) { k.Hash(one, keys, seed) })
	case "splitmix64":
		return called(hashing.SplitMix64Kernels(), kernel, func(k hashing.SeededKernel) { k.Hash(one, keys, seed) })
	case "xxh3":
		return called(hashing.XXH3Kernels(), kernel, func(k hashing.SeededKernel) { k.Hash(one, keys, seed) })
	case "xxh64":
		return called(hashing.XXH64Kernels(), kernel, func(k hashing.SeededKernel) { k.Hash(one, keys, seed) })
	case "wyhash":
		return called(hashing.WyHashKernels(), kernel, func(k hashing.SeededKernel) { k.Hash(one, keys, seed) })
	case "rapidhash":
		return called(hashing.RapidHashKernels(), kernel, func(k hashing.SeededKernel) { k.Hash(one, keys, seed) })
	case "murmur3-128":
		return called(hashing.Murmur3Kernels(), kernel, func(k hashing.SeededKernel) { k.Hash(two, keys, seed) })
	case "lookup3":
		return called(hashing.Lookup3Kernels(), kernel, func(k hashing.SeededKernel) { k.Hash(one, keys, seed) })
	case "siphash":
		return called(hashing.SipHashKernels(), kernel, func(k hashing.SipHashKernel) { k.Hash(one, keys, (*[2]uint64)(key[:])) })
	case "crc32c":
		return called(hashing.CRC32CKernels(), kernel, func(k hashing.UnseededKernel) { k.Hash(one, keys) })
	case "fnv1-64":
		return called(hashing.FNV1Kernels(), kernel, func(k hashing.UnseededKernel) { k.Hash(one, keys) })
	case "fnv1a64":
		return called(hashing.FNV1aKernels(), kernel, func(k hashing.UnseededKernel) { k.Hash(one, keys) })
	case "highway64":
		return called(hashing.Highway64Kernels(), kernel, func(k hashing.KeyedKernel) { k.Hash(one, keys, &key) })
	case "highway128":
		return called(hashing.Highway128Kernels(), kernel, func(k hashing.KeyedKernel) { k.Hash(two, keys, &key) })
	case "highway256":
		return called(hashing.Highway256Kernels(), kernel, func(k hashing.KeyedKernel) { k.Hash(dst, keys, &key) })
	case "md5":
		return called(hashing.MD5Kernels(), kernel, func(k hashing.UnseededKernel) { k.Hash(two, keys) })
	case "md5-counter":
		return called(hashing.MD5CounterKernels(), kernel, func(k hashing.CounterKernel) { k.Hash(two, keys, 1) })
	case "sha1":
		return called(hashing.SHA1Kernels(), kernel, func(k hashing.UnseededKernel) { k.Hash(three, keys) })
	case "sha1-counter":
		return called(hashing.SHA1CounterKernels(), kernel, func(k hashing.CounterKernel) { k.Hash(three, keys, 1) })
	case "sha256":
		return called(hashing.SHA256Kernels(), kernel, func(k hashing.UnseededKernel) { k.Hash(dst, keys) })
	case "sha256-counter":
		return called(hashing.SHA256CounterKernels(), kernel, func(k hashing.CounterKernel) { k.Hash(dst, keys, 1) })
	}
	return false
}

// called calls the kernel of that name, and reports whether there is one.
func called[F any](table []hashing.Kernel[F], name string, call func(k hashing.Kernel[F])) bool {
	for _, k := range table {
		if k.Kernel.Name == name {
			call(k)
			return true
		}
	}
	return false
}
