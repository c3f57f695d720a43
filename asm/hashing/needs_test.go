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
