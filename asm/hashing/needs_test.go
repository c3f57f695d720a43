//go:build (amd64 || arm64) && !purego

package hashing

import (
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/kernels"
)

func TestTablesAreAsTheAssembly(t *testing.T) {
	kernels.CheckTables(t, map[string][]cpu.Kernel{
		"crc32c": crc32cKernels, "fmix64": fmix64Kernels, "lookup3": lookup3Kernels, "murmur3": murmur3Kernels, "rapidhash": rapidHashKernels,
		"siphash": sipHashKernels, "wyhash": wyHashKernels, "xxh3": xxh3Kernels,
		"fnv": fnvKernels, "highway": highwayKernels, "md5": md5Kernels, "sha1": sha1Kernels, "sha256": sha256Kernels,
		"splitmix64": splitMix64Kernels, "xxh64": xxh64Kernels,
	})
}

// The lengths at which the dispatch changes kernels are among those that TestBetweenGuardPages
// takes, one below and one above included.
func TestCutoffsAreCovered(t *testing.T) {
	for _, cutoff := range cutoffs {
		if cutoff < 1 || cutoff+1 > 140 {
			t.Errorf("a cut-off at %d keys is outside the lengths that are always tested", cutoff)
		}
	}
}
