// Package scatter writes entries to hundreds of destinations in turn, a few cache lines at a time,
// bypassing the caches. An ordinary write would fetch each line from memory, and the cache would
// evict it before it is full.
package scatter

import (
	"unsafe"

	"simhashkit/asm/cpu"
)

// entries is the number of entries of a Line.
const entries = 16

// Line holds entries that are written together.
type Line struct {
	Words   [entries]uint64
	Numbers [entries]uint32
}

// Write copies a line to words and numbers. It bypasses the caches if both start at a multiple of
// 64 bytes. Other goroutines may read the data only after Fence. Cost: about a nanosecond per
// entry, unless memory is slower.
func Write(words *[entries]uint64, numbers *[entries]uint32, line *Line) {
	writeAt(cpu.Active(), words, numbers, line)
}

// Fence completes all earlier calls of Write on the same goroutine.
func Fence() { fenceAt(cpu.Active()) }

// aligned reports whether a kernel may bypass the caches.
func aligned(words *[entries]uint64, numbers *[entries]uint32) bool {
	return (uintptr(unsafe.Pointer(words))|uintptr(unsafe.Pointer(numbers)))%64 == 0
}

func writeGeneric(words *[entries]uint64, numbers *[entries]uint32, line *Line) {
	*words, *numbers = line.Words, line.Numbers
}

func fenceGeneric() {}
