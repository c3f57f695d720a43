//go:build !linux

package guard

import "testing"

func slices[T any](_ testing.TB, n int) (atStart, atEnd []T) { return make([]T, n), make([]T, n) }

func pages[T any](t testing.TB) (all []T, from, to int) {
	t.Skip("no inaccessible pages on this system")
	return nil, 0, 0
}
