// Package guard allocates memory for tests between inaccessible pages. A kernel that reads or
// writes past its slices goes unnoticed in ordinary memory, but faults here.
package guard

import (
	"os"
	"testing"
)

// Variable is the environment variable that makes Slices return ordinary memory. Set it for
// emulators that fault on the elements that a masked load leaves out, which no processor does.
const Variable = "FPHASH_NO_GUARD_PAGES"

// Slices returns two slices of n elements, one that begins right after an inaccessible page and one
// that ends right before one. On systems other than Linux they are ordinary slices.
func Slices[T any](t testing.TB, n int) (atStart, atEnd []T) {
	if os.Getenv(Variable) != "" {
		return make([]T, n), make([]T, n)
	}
	return slices[T](t, n)
}

// Pages returns elements of which only all[from:to], at least a page, may be accessed. The elements
// before and after them are on inaccessible pages. It skips the test if the system has no such
// pages.
func Pages[T any](t testing.TB) (all []T, from, to int) {
	t.Helper()
	if os.Getenv(Variable) != "" {
		t.Skip("no inaccessible pages, because of " + Variable)
	}
	return pages[T](t)
}
