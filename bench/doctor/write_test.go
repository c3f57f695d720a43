package doctor

import "testing"

func TestDuration(t *testing.T) {
	for nanoseconds, want := range map[float64]string{0.9: "0.9000ns", 3.25: "3.250ns", 812: "812.0ns", 9.697e5: "969.7µs", 2e9: "2.000s"} {
		if got := duration(nanoseconds); got != want {
			t.Errorf("%v ns: %s, want %s", nanoseconds, got, want)
		}
	}
}
