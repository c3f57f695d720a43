// Package hugepages allocates arrays on 2 MiB pages if the system supports them. On ordinary pages,
// random access to large arrays spends as much time on address translation as on memory.
package hugepages

import (
	"syscall"
	"unsafe"
)

// page is the size of a huge page.
const page = 2 << 20

// Advise requests huge pages for mapped memory. It has no effect on a system without huge pages.
func Advise(mapped []byte) {
	if len(mapped) >= page {
		_ = syscall.Madvise(mapped, syscall.MADV_HUGEPAGE)
	}
}

// Make returns n zeros, like make, and requests huge pages. Up to 2 MiB at either end stay on
// ordinary pages, so one large array is better than several small ones. On a system without huge
// pages, Make behaves like make.
func Make[T uint16 | uint32 | uint64](n int) []T {
	all := make([]T, n)
	size := uintptr(n) * unsafe.Sizeof(T(0))
	start := unsafe.Pointer(unsafe.SliceData(all))
	if before := -uintptr(start) % page; size >= before+page {
		Advise(unsafe.Slice((*byte)(unsafe.Add(start, before)), (size-before)/page*page))
	}
	return all
}
