// Package english has what sentences of the commands share.
package english

// Plural returns the word that goes with a number.
func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
