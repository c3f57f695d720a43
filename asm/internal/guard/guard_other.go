//go:build !linux

package guard

import "testing"

func slices[T any](_ testing.TB, n int) (atStart, atEnd []T) { return make([]T, n), make([]T, n) }
