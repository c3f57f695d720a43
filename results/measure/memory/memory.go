// Package memory says how much memory measured programs take, as far as the system tells.
package memory

import (
	"bytes"
	"strconv"
	"strings"
)

// field returns a number of kilobytes in a text of lines "Name: 123 kB", as bytes.
func field(text []byte, name string) (int64, bool) {
	for line := range bytes.Lines(text) {
		value, ok := strings.CutPrefix(string(line), name+":")
		if !ok {
			continue
		}
		kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		return kilobytes << 10, err == nil
	}
	return 0, false
}
