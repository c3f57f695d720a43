package weights

import (
	"math"
	"testing"
)

func vector(text string) Vector {
	w, err := New(Options{})
	if err != nil {
		panic(err)
	}
	return w.Weigh(fields(text)).Clone()
}

func TestCosine(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"a b c", "c b a", 1},
		{"a b", "c", 0},
		{"a", "", 0},
		{"a a a b b b b", "a a a a b b b", 24.0 / 25},
		{"a b c d", "b x", 1 / math.Sqrt(8)},
	} {
		if got := Cosine(vector(c.a), vector(c.b)); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%q, %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// A clone stays as it was when the memory of the features is used again.
func TestClone(t *testing.T) {
	features := fields("a b")
	w, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := w.Weigh(features).Clone()
	features[0][0], features[1][0] = 'x', 'y'
	w.Weigh(features)
	if got := shown(v); got != "a:1 b:1" {
		t.Error(got)
	}
}
