//go:build !amd64 || purego

package hashing

import "simhashkit/asm/cpu"

// Without assembly every op has its generic kernel alone.

var (
	splitMix64Kernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	fmix64Kernels     = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	xxh3Kernels       = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	murmur3Kernels    = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	sipHashKernels    = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	rapidHashKernels  = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	wyHashKernels     = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	crc32cKernels     = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	xxh64Kernels      = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	fnvKernels        = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	sha256Kernels     = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
)

func splitMix64At(_ cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	splitMix64Generic(dst, keys, seed)
}

func xxh64At(_ cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	xxh64Generic(dst, keys, seed)
}

func fmix64At(_ cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	fmix64Generic(dst, keys, seed)
}

func xxh3At(_ cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	xxh3Generic(dst, keys, seed)
}

func murmur3At(_ cpu.Tier, dst, keys []uint64, seed uint64) {
	roomFor(2, len(dst), len(keys))
	murmur3Generic(dst, keys, seed)
}

func sipHashAt(_ cpu.Tier, dst, keys []uint64, key *[2]uint64) {
	sameLength(len(dst), len(keys))
	sipHashGeneric(dst, keys, key)
}

func rapidHashAt(_ cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	rapidHashGeneric(dst, keys, seed)
}

func wyHashAt(_ cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	wyHashGeneric(dst, keys, seed)
}

func crc32cAt(_ cpu.Tier, dst, keys []uint64) {
	sameLength(len(dst), len(keys))
	crc32cGeneric(dst, keys)
}

func fnv1At(_ cpu.Tier, dst, keys []uint64) {
	sameLength(len(dst), len(keys))
	fnv1Generic(dst, keys)
}

func fnv1aAt(_ cpu.Tier, dst, keys []uint64) {
	sameLength(len(dst), len(keys))
	fnv1aGeneric(dst, keys)
}

func sha256At(_ cpu.Tier, dst, keys []uint64) {
	roomFor(4, len(dst), len(keys))
	sha256Generic(dst, keys)
}

func sha256CounterAt(_ cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(4, len(dst), len(keys))
	sha256CounterGeneric(dst, keys, counter)
}
