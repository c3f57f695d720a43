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
