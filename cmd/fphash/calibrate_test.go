package main

import (
	"testing"
)

// A percentage is the number that it stands for, to the last digit.
func TestCalibrateFractions(t *testing.T) {
	for text, want := range map[string]float64{"0.95": 0.95, "95%": 0.95, "99.9%": 0.999, "100%": 1, ".5": 0.5, "1e-1": 0.1, "-5%": -0.05} {
		var f fraction
		if err := f.Set(text); err != nil || float64(f) != want {
			t.Errorf("%s: %v, %v, want %v", text, f, err, want)
		}
	}
}
