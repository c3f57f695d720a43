package bench

import "unsafe"

// hugePage is how large the pages are that the collections of scans lie in.
const hugePage = 2 << 20

// inHugePages returns n zeros, which lie in huge pages where the system gives them to programs that
// ask: in small ones, a scan of a collection far larger than the caches waits for the translation
// of addresses as well, and how long depends on the machine more than on the kernel. Less than a
// huge page is allocated as usual.
func inHugePages[T uint16 | uint32 | uint64](n int) []T {
	size := int(unsafe.Sizeof(T(0)))
	if n*size < hugePage {
		return make([]T, n)
	}
	all := make([]T, n+2*hugePage/size)
	before := int(-uintptr(unsafe.Pointer(unsafe.SliceData(all)))%hugePage) / size
	whole := (n*size + hugePage - 1) / hugePage * hugePage / size
	adviseHugePages(unsafe.Slice((*byte)(unsafe.Pointer(&all[before])), whole*size))
	return all[before : before+n : before+n]
}
