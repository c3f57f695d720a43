// Package shrink reduces an input on which a kernel fails, so that a test prints a small one.
package shrink

import "slices"

// ToZero returns zero as the only simpler form of a word, or nothing if the word is zero.
func ToZero(word uint64) (simpler []uint64) {
	if word != 0 {
		simpler = append(simpler, 0)
	}
	return simpler
}

// Slice returns a part of the input, with elements made simpler, that still fails: it drops halves,
// quarters and so on down to single elements, then replaces each element by the first of its
// simpler forms that fails, until nothing changes. The input must fail. Slice does not change it.
func Slice[T any](input []T, simpler func(T) []T, fails func([]T) bool) []T {
	input = slices.Clone(input)
	for changed := true; changed; {
		changed = false
		for size := (len(input) + 1) / 2; size > 0; size /= 2 {
			for from := 0; from < len(input); {
				rest := slices.Delete(slices.Clone(input), from, min(from+size, len(input)))
				if fails(rest) {
					input, changed = rest, true
				} else {
					from += size
				}
			}
		}
		for i, element := range input {
			for _, form := range simpler(element) {
				input[i] = form
				if fails(input) {
					changed = true
					break
				}
				input[i] = element
			}
		}
	}
	return input
}
