// Package guard allocates memory for tests between pages that fault. A kernel that reads or writes
// past its slices goes unnoticed in ordinary memory, and faults here.
package guard

import (
	"os"
	"testing"
)

// Variable is the environment variable that, when set, makes Slices give ordinary memory: some
// emulators fault on the elements that a masked load leaves out, as no processor does.
const Variable = "FPHASH_NO_GUARD_PAGES"

// Slices returns two slices of n elements, one that begins right after an inaccessible page and one
// that ends right before one. On systems other than Linux they are ordinary slices.
func Slices[T any](t testing.TB, n int) (atStart, atEnd []T) {
	if os.Getenv(Variable) != "" {
		return make([]T, n), make([]T, n)
	}
	return slices[T](t, n)
}

// Pages returns elements of which those from from to to-1 alone may be touched, a page or more;
// those before and behind them are on inaccessible pages. It skips the test where there are none.
func Pages[T any](t testing.TB) (all []T, from, to int) {
	t.Helper()
	if os.Getenv(Variable) != "" {
		t.Skip("there are no inaccessible pages with " + Variable)
	}
	return pages[T](t)
}
