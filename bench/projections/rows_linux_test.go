package projections

import (
	"syscall"
	"testing"
	"unsafe"
)

// guarded returns n elements that end where memory ends.
func guarded[T any](t *testing.T, n int) []T {
	t.Helper()
	page, bytes := syscall.Getpagesize(), n*int(unsafe.Sizeof(*new(T)))
	whole := (bytes + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, whole+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(memory) })
	if err := syscall.Mprotect(memory[whole:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&memory[whole-bytes])), n)
}

// No kernel reads past the table, the indices or the weights, at any number of features around the
// distance at which rows are fetched in advance.
func TestKernelsStayInside(t *testing.T) {
	const dimensions = 5
	table := guarded[float32](t, dimensions*64)
	for i := range table {
		table[i] = float32(i%7) - 3
	}
	for n := range 70 {
		indices, weights := guarded[uint64](t, n), guarded[float32](t, n)
		for i := range indices {
			indices[i], weights[i] = dimensions-1, 1
		}
		want, _ := oracleRows(table, 64, dimensions, indices, weights)
		for _, k := range rowsKernels() {
			if !k.Available() {
				continue
			}
			if got, ok := k.project(&table[0], 64, dimensions, indices, weights); got != want || !ok {
				t.Errorf("%s, nnz=%d: %016x, %v, want %016x", k.Name, n, got, ok, want)
			}
		}
	}
}
