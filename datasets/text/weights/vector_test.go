package weights

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// Features with the same number are one, whose weight is the sum, and numbers ascend.
func TestAppendIndexed(t *testing.T) {
	v := Vector{fields("a b c d e"), []float64{1, 2, -2, 4, 8}}
	numbers := map[string]uint64{"a": 9, "b": 5, "c": 5, "d": 1 << 63, "e": 9}
	indices, weights := v.AppendIndexed([]uint64{7}, []float64{7}, func(feature []byte) (uint64, bool) {
		number, ok := numbers[string(feature)]
		return number, ok
	})
	if diff := cmp.Diff([]uint64{7, 9, 1 << 63}, indices) + cmp.Diff([]float64{7, 9, 4}, weights); diff != "" {
		t.Error(diff)
	}
	delete(numbers, "a")
	if indices, weights = v.AppendIndexed(nil, nil, func(feature []byte) (uint64, bool) {
		number, ok := numbers[string(feature)]
		return number, ok
	}); len(indices) != 2 || weights[0] != 8 {
		t.Errorf("without a: %v %v", indices, weights)
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
