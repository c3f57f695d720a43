// Package english formats plurals, lists and numbers for messages.
package english

import "fmt"

// Hundred writes a part of one as so many of a hundred, with the digits that a reader can use:
// "97", "1.9", "0.04", "99.5". It hides neither what is rare nor what is not quite all.
func Hundred(part float64) string {
	switch x := 100 * part; {
	case x > 0 && x < 9.95:
		return fmt.Sprintf("%.2g", x)
	case x > 99 && x < 99.95:
		return fmt.Sprintf("%.1f", x)
	default:
		return fmt.Sprintf("%.0f", x)
	}
}

// Plural returns the word that goes with a number.
func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Count returns a number with its noun: "1 round", "2 rounds".
func Count(n int, noun string) string { return fmt.Sprintf("%d %s", n, Plural(n, noun, noun+"s")) }
