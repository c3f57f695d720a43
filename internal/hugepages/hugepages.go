// Package hugepages allocates arrays on pages of 2 MiB where the system has them. On ordinary
// pages, random access to large arrays waits for address translation as long as for memory.
package hugepages

import "unsafe"

// page is the size of a huge page.
const page = 2 << 20

// Advise asks for huge pages for memory that a file is mapped to. A system without huge pages costs
// only time.
func Advise(mapped []byte) {
	if len(mapped) >= page {
		advise(mapped)
	}
}

// Make returns n zeros, like make, and asks the system for huge pages. Up to 2 MiB at either end
// stay on ordinary pages, so one large array does better than several small ones. A system without
// huge pages costs only time.
func Make[T uint16 | uint32 | uint64](n int) []T {
	all := make([]T, n)
	size := uintptr(n) * unsafe.Sizeof(T(0))
	start := unsafe.Pointer(unsafe.SliceData(all))
	if before := -uintptr(start) % page; size >= before+page {
		advise(unsafe.Slice((*byte)(unsafe.Add(start, before)), (size-before)/page*page))
	}
	return all
}
