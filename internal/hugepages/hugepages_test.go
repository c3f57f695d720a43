package hugepages

import "testing"

// Every length gives as many zeros, and all of them can be written.
func TestMake(t *testing.T) {
	for _, n := range []int{0, 1, 4096, size/8 - 1, size / 8, size/8 + 1, size, 5 * size / 8} {
		list := Make[uint64](n)
		if len(list) != n {
			t.Fatalf("%d numbers, expected %d", len(list), n)
		}
		for i := range list {
			if list[i] != 0 {
				t.Fatalf("number %d of %d is %d", i, n, list[i])
			}
			list[i] = ^uint64(0)
		}
	}
}
