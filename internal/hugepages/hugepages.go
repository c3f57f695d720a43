// Package hugepages has memory on pages of 2 MiB where the system gives them: what reads or writes
// at places all over it waits for address translations otherwise, as long as for the memory.
package hugepages

import "unsafe"

// size of a page that most processors need a single entry of their address translation for.
const size = 2 << 20

// Make returns n zeros. A system without huge pages gives usual ones, and nothing is lost but time.
func Make[T uint16 | uint32 | uint64](n int) []T {
	list := make([]T, n)
	if n == 0 {
		return list
	}
	first := unsafe.Pointer(unsafe.SliceData(list))
	length := n * int(unsafe.Sizeof(list[0]))
	start := int(-uintptr(first) & (size - 1))
	if whole := (length - start) &^ (size - 1); whole > 0 {
		advise(unsafe.Slice((*byte)(first), length)[start : start+whole])
	}
	return list
}
