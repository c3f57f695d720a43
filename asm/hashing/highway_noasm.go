//go:build (!amd64 && !arm64) || purego

package hashing

import "simhashkit/asm/cpu"

var highwayKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

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
