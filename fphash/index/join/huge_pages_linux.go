package join

import (
	"syscall"
	"unsafe"
)

// adviseHugePages asks for huge pages: writing to hundreds of places side by side, small ones miss
// the TLB nearly every time. A system without them refuses, and nothing is lost but time.
func adviseHugePages[T uint32 | uint64](memory []T) {
	const page = 4096
	if len(memory) == 0 {
		return
	}
	at := unsafe.Pointer(unsafe.SliceData(memory))
	size := len(memory) * int(unsafe.Sizeof(memory[0]))
	skip := int(-uintptr(at) % page)
	if whole := (size - skip) &^ (page - 1); whole > 0 {
		_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(at, skip)), whole), syscall.MADV_HUGEPAGE)
	}
}
