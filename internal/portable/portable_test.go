package portable

import (
	"math"
	"testing"
)

func TestLogAndExp(t *testing.T) {
	for x := 1e-300; x < 1e300; x *= 1.37 {
		if got, want := Log(x), math.Log(x); !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
			t.Errorf("ln %v = %v, want %v", x, got, want)
		}
	}
	for x := -699.5; x < 700; x += 0.37 {
		if got := Exp(x); !(math.Abs(got/math.Exp(x)-1) <= 1e-12) {
			t.Errorf("e^%v = %v, want %v", x, got, math.Exp(x))
		}
	}
	if !math.IsInf(Log(0), -1) || Exp(-1e9) != 0 || !math.IsInf(Exp(1e9), 1) || Exp(math.Inf(-1)) != 0 {
		t.Error("the ends are wrong")
	}
}
