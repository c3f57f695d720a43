//go:build (!amd64 && !arm64) || purego

package hashing

import "simhashkit/asm/cpu"

// These ops have kernels for arm64 too; noasm.go has the others.

var (
	highwayKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	lookup3Kernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	md5Kernels     = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	sha1Kernels    = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
)

func highway64At(_ cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	sameLength(len(dst), len(keys))
	highway64Generic(dst, keys, key)
}

func highway128At(_ cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	roomFor(2, len(dst), len(keys))
	highway128Generic(dst, keys, key)
}

func highway256At(_ cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	roomFor(4, len(dst), len(keys))
	highway256Generic(dst, keys, key)
}

func lookup3At(_ cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	lookup3Generic(dst, keys, seed)
}

func md5At(_ cpu.Tier, dst, keys []uint64) {
	roomFor(2, len(dst), len(keys))
	md5Generic(dst, keys)
}

func md5CounterAt(_ cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(2, len(dst), len(keys))
	md5CounterGeneric(dst, keys, counter)
}

func sha1At(_ cpu.Tier, dst, keys []uint64) {
	roomFor(3, len(dst), len(keys))
	sha1Generic(dst, keys)
}

func sha1CounterAt(_ cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(3, len(dst), len(keys))
	sha1CounterGeneric(dst, keys, counter)
}
