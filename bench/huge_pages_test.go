package bench

import (
	"testing"
	"unsafe"
)

func TestInHugePages(t *testing.T) {
	for _, n := range []int{1, 1000, hugePage/8 - 1, hugePage / 8, hugePage/8 + 1, 1_000_000} {
		words := inHugePages[uint64](n)
		if len(words) != n || cap(words) != n {
			t.Errorf("%d words: length %d, capacity %d", n, len(words), cap(words))
		}
		if at := uintptr(unsafe.Pointer(&words[0])); n*8 >= hugePage && at%hugePage != 0 {
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
