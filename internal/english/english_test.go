package english

import "testing"

func TestHundred(t *testing.T) {
	for part, want := range map[float64]string{
		0: "0", 0.0004: "0.04", 0.01: "1", 0.0123: "1.2", 0.0996: "10", 0.12: "12", 0.6289: "63", 0.974: "97", 0.992: "99.2", 0.9951: "99.5", 0.9995: "99.95", 0.99975: "99.97", 0.9999999: "99.99", 1: "100",
	} {
		if got := Hundred(part); got != want {
			t.Errorf("Hundred(%v) = %q, want %q", part, got, want)
		}
	}
}

func TestApproximate(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.01234: "0.0123", 36.56: "36.6", 5334: "5330", 9999: "10000", 300_000: "300 thousand", 999_700: "1 million", 1.234e6: "1.23 million", 6.1e9: "6.1 billion", 5e13: "5e+13",
	} {
		if got := Approximate(x); got != want {
			t.Errorf("Approximate(%v) = %q, want %q", x, got, want)
		}
	}
}
