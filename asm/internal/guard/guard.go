// Package guard gives tests memory that ends where it ends: a kernel that reads or writes past its slices, unnoticed in ordinary memory, faults there.
package guard

import "testing"

// Slices returns two slices of n elements, one that begins right after an inaccessible page and one that ends right before one. On systems other than Linux they are ordinary
// slices.
func Slices[T any](t testing.TB, n int) (atStart, atEnd []T) { return slices[T](t, n) }
