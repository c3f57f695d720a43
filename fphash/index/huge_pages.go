package index

import "unsafe"

// hugePage is the size of a page that most processors need a single entry of their address
// translation for.
const hugePage = 2 << 20

// onHugePages returns n zeros, on huge pages where the system has them: queries read at places all
// over a table, and with small pages each waits for an address translation as long as for the
// memory itself.
func onHugePages[T uint16 | uint32 | uint64](n int) []T {
	list := make([]T, n)
	if n == 0 {
		return list
	}
	size := n * int(unsafe.Sizeof(list[0]))
	start := -int(uintptr(unsafe.Pointer(unsafe.SliceData(list)))) & (hugePage - 1)
	if size >= 2*hugePage {
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), size)
		whole := (size - start) &^ (hugePage - 1)
		adviseHugePages(bytes[start : start+whole])
	}
	return list
}
