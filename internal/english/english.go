// Package english formats plurals, lists and numbers for messages.
package english

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Hundred formats a share as a percentage without the sign: "97", "1.9", "0.04", "99.5". It keeps
// enough digits to distinguish a share from 0 and 100.
func Hundred(part float64) string {
	switch x := 100 * part; {
	case x > 0 && x < 9.95:
		return fmt.Sprintf("%.2g", x)
	case x > 99 && x < 99.95:
		return fmt.Sprintf("%.1f", x)
	case x >= 99.95 && x < 100: // rounding up could give 100
		return fmt.Sprintf("%.2f", math.Floor(100*x)/100)
	default:
		return fmt.Sprintf("%.0f", x)
	}
}

// Plural returns the singular or plural form of a word for a number.
func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Count returns a number with its noun: "1 round", "2 rounds".
func Count(n int, noun string) string { return fmt.Sprintf("%d %s", n, Plural(n, noun, noun+"s")) }

// Sentence capitalizes the first letter.
func Sentence(words string) string { return strings.ToUpper(words[:1]) + words[1:] }

// Some joins the first five words of a list, and counts the others.
func Some(words []string, separator string) string {
	const most = 5
	if rest := len(words) - most; rest > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], separator), rest)
	}
	return strings.Join(words, separator)
}

// Approximate formats a number with three significant digits: "0.012", "36.6", "5330", "300
// thousand", "1.2 million", "5e+13".
func Approximate(x float64) string {
	switch {
	case x < 1e4:
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
		return strconv.FormatFloat(rounded, 'f', -1, 64)
	case x < 999.5e3:
		return fmt.Sprintf("%.3g thousand", x/1e3)
	case x < 999.5e6:
		return fmt.Sprintf("%.3g million", x/1e6)
	case x < 999.5e9:
		return fmt.Sprintf("%.3g billion", x/1e9)
	default:
		return fmt.Sprintf("%.3g", x)
	}
}
