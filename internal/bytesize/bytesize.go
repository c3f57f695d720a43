// Package bytesize parses and formats sizes of memory and files, such as 4GiB.
package bytesize

import (
	"errors"
	"strconv"
	"strings"
)

// Size is a number of bytes. It implements the value of a flag.
type Size int64

// units are the unit prefixes, each 1024 times the previous one.
const units = "KMGTP"

// String returns about three digits and a unit.
func (s Size) String() string {
	size, unit := float64(s), 0
	for ; size >= 999.5 && unit < len(units); unit++ {
		size /= 1024
	}
	text := strconv.FormatFloat(size, 'g', 3, 64)
	if unit == 0 {
		return text + "B"
	}
	return text + units[unit-1:unit] + "iB"
}

// Set parses a number and a unit: K, KB or KiB and so on up to P, all in powers of 1024. B or no
// unit means bytes.
func (s *Size) Set(text string) error {
	wrong := errors.New("expected a size such as 4GiB")
	number := strings.TrimRight(text, "BbIiKkMmGgTtPp")
	unit := strings.ToUpper(text[len(number):])
	unit = strings.TrimSuffix(strings.TrimSuffix(unit, "B"), "I")
	value, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || len(unit) > 1 || !strings.Contains(units, unit) {
		return wrong
	}
	if unit != "" {
		for range strings.Index(units, unit) + 1 {
			value *= 1024
		}
	}
	if !(value >= 0 && value < 1<<62) {
		return wrong
	}
	*s = Size(value)
	return nil
}

// Type returns the name of the type in help.
func (s *Size) Type() string { return "size" }
