package guard

import (
	"syscall"
	"testing"
	"unsafe"
)

func slices[T any](t testing.TB, n int) (atStart, atEnd []T) {
	t.Helper()
	page := syscall.Getpagesize()
	bytes := n * int(unsafe.Sizeof(*new(T)))
	body := max(page, (bytes+page-1)/page*page)
	m, err := syscall.Mmap(-1, 0, body+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(m); err != nil {
			t.Error(err)
		}
	})
	for _, edge := range [][]byte{m[:page], m[page+body:]} {
		if err := syscall.Mprotect(edge, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	first := unsafe.Slice((*T)(unsafe.Pointer(&m[page])), n)
	last := unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(&m[page]), body-bytes)), n)
	return first, last
}
