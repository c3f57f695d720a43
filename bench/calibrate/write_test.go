package calibrate

import (
	"strings"
	"testing"
)

// Sentences are broken into lines; breaks stay, and no line ends in spaces.
func TestWrapped(t *testing.T) {
	long := strings.Repeat("fünf ", 40)
	got := wrapped(long + "end.\nNext line.\n")
	if want := strings.TrimSpace(strings.Repeat("fünf ", 16)); got != want+"\n"+want+"\n"+strings.Repeat("fünf ", 8)+"end.\nNext line.\n" {
		t.Errorf("%q", got)
	}
}
