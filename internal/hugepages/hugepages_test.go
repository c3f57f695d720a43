package hugepages

import (
	"testing"
	"unsafe"
)

func TestMake(t *testing.T) {
	for _, n := range []int{0, 1, 1000, page/8 - 1, page / 8, page/8 + 1, 1_000_000} {
		words := Make[uint64](n)
		if len(words) != n || cap(words) != n {
			t.Errorf("%d words: length %d, capacity %d", n, len(words), cap(words))
		}
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(words))); n*8 >= page && at%page != 0 {
			t.Errorf("%d words begin at %#x", n, at)
		}
		for i := range words {
			if words[i] != 0 {
				t.Fatalf("%d words: word %d is %d", n, i, words[i])
			}
			words[i] = ^uint64(0)
		}
	}
}
