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

func TestAngles(t *testing.T) {
	for degrees := 0.0; degrees <= 180; degrees += 1.0 / 64 {
		want := degrees * math.Pi / 180
		y, x := math.Abs(math.Sin(want)), math.Cos(want)
		for _, scale := range []float64{1, 1e-150, 3e150} {
			if got := Atan2(y*scale, x*scale); !(math.Abs(got-math.Atan2(y*scale, x*scale)) <= 1e-15*want) {
				t.Errorf("%v degrees: %v, want %v", degrees, got, want)
			}
		}
		if got := Acos(x); !(math.Abs(math.Cos(got)-x) <= 1e-15) {
			t.Errorf("the angle of the cosine %v is %v, whose cosine is %v", x, got, math.Cos(got))
		}
	}
	for y := 1e-300; y < 1; y *= 7 {
		if got, want := Atan2(y, 1), math.Atan2(y, 1); !(math.Abs(got/want-1) <= 1e-15) {
			t.Errorf("the angle of (1, %v) is %v, want %v", y, got, want)
		}
	}
	for _, c := range []struct{ y, x, want float64 }{{0, 0, 0}, {0, 3, 0}, {0, -3, math.Pi}, {3, 0, math.Pi / 2}} {
		if got := Atan2(c.y, c.x); got != c.want {
			t.Errorf("the angle of (%v, %v) is %v, want %v", c.x, c.y, got, c.want)
		}
	}
	if Acos(1.1) != 0 || Acos(-1.1) != math.Pi || Acos(0) != math.Pi/2 {
		t.Error("the ends are wrong")
	}
}
