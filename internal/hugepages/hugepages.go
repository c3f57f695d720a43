// Package hugepages has memory on pages of 2 MiB where the system gives them: what reads or writes
// at places all over it waits for the translation of addresses otherwise, as long as for the
// memory.
package hugepages

import "unsafe"

// page is the size of a huge page.
const page = 2 << 20

// Advise asks for huge pages under memory that a file is mapped to. Where there are none, nothing
// is lost but time.
func Advise(mapped []byte) {
	if len(mapped) >= page {
		advise(mapped)
	}
}

// Make returns n zeros, of which those in whole huge pages lie in such where the system gives them
// to programs that ask: all but 2 MiB at either end, at most, so that one large array does better
// than several small ones. Where it does not, nothing is lost but time. It allocates what make does.
func Make[T uint16 | uint32 | uint64](n int) []T {
	all := make([]T, n)
	size := uintptr(n) * unsafe.Sizeof(T(0))
	start := unsafe.Pointer(unsafe.SliceData(all))
	if before := -uintptr(start) % page; size >= before+page {
		advise(unsafe.Slice((*byte)(unsafe.Add(start, before)), (size-before)/page*page))
	}
	return all
}
