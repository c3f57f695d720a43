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

// Make returns n zeros, which lie in huge pages where the system gives them to programs that ask.
// Where it does not, nothing is lost but time. Less than a huge page is allocated as usual, and up
// to two more pages than asked for otherwise.
func Make[T uint16 | uint32 | uint64](n int) []T {
	size := int(unsafe.Sizeof(T(0)))
	if n*size < page {
		return make([]T, n)
	}
	all := make([]T, n+2*page/size)
	before := int(-uintptr(unsafe.Pointer(unsafe.SliceData(all)))%page) / size
	whole := (n*size + page - 1) / page * page / size
	advise(unsafe.Slice((*byte)(unsafe.Pointer(&all[before])), whole*size))
	return all[before : before+n : before+n]
}
