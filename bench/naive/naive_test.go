package naive

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The example from the literature has five words with weights 5, 2, 3, 1, 4 and hashes of six bits.
func TestWorkedExample(t *testing.T) {
	codes := []uint64{0b100101, 0b101011, 0b100111, 0b101111, 0b111011}
	const width, want = 1<<6 - 1, 0b100111
	if got := Sketch64(codes, []float32{5, 2, 3, 1, 4}) & width; got != want {
		t.Errorf("float32: %06b, want %06b", got, want)
	}
	if got := Sketch64(codes, []int64{5, 2, 3, 1, 4}) & width; got != want {
		t.Errorf("int64: %06b, want %06b", got, want)
	}
	if got := SketchUnit64(codes) & width; got != 0b101111 {
		t.Errorf("unit: %06b, want 101111", got)
	}
}

func TestUnitIsWeightOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 50 {
		codes, ones := make([]uint64, n), make([]int32, n)
		for i := range codes {
			codes[i], ones[i] = rng.Uint64(), 1
		}
		if a, b := SketchUnit64(codes), Sketch64(codes, ones); a != b {
			t.Errorf("%d codes: %x and %x", n, a, b)
		}
	}
}

func TestAppendWithin(t *testing.T) {
	got := AppendWithin(nil, []uint64{0, 1, 3, 7, 15, 1 << 63}, 0, 2)
	if want := []int{0, 1, 2, 5}; !slices.Equal(got, want) {
		t.Errorf("positions %v, want %v", got, want)
	}
}
