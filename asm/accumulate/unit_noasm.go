//go:build (!amd64 && !arm64) || purego

package accumulate

import "simhashkit/asm/cpu"

var unitKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func addUnitAt(tier cpu.Tier, lanes *[64]int64, codes []uint64) { addCounted(tier, lanes, codes) }

func sketchUnitAt(_ cpu.Tier, codes []uint64) Signs { return sketchUnitGeneric(codes) }

// addPiece counts the ones of all codes into n, which must be all zero, and returns how many.
func (n *counts) addPiece(_ cpu.Tier, codes []uint64) int {
	n.add(codes)
	return len(codes)
}
