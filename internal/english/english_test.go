package english

import "testing"

func TestHundred(t *testing.T) {
	for part, want := range map[float64]string{
		0: "0", 0.0004: "0.04", 0.01: "1", 0.0123: "1.2", 0.0996: "10", 0.12: "12", 0.6289: "63", 0.974: "97", 0.9951: "99.5", 0.9999: "100", 1: "100",
	} {
		if got := Hundred(part); got != want {
			t.Errorf("Hundred(%v) = %q, want %q", part, got, want)
		}
	}
}
