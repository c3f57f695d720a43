package fphash

import (
	"math"
	"testing"
)

// workedExamples are small enough to check by hand. Codes and sums are written with the most
// significant lane first.
var workedExamples = []struct {
	name    string
	bits    int
	codes   []uint64
	weights []float32
	sums    []float32
	want    uint64
}{
	{"E1", 2, []uint64{0b10, 0b01, 0b11}, []float32{3, 2, 4}, []float32{5, 3}, 0b11},
	{"E2", 3, []uint64{0b101, 0b011, 0b100, 0b001, 0b110}, []float32{1, 2, 0, 3, 0}, []float32{-4, -2, 6}, 0b001},
	{"E3", 6, []uint64{0b100101, 0b101011}, []float32{4, 5}, []float32{9, -9, 1, -1, 1, 9}, 0b101011},
	{"E4", 6, []uint64{0b100101, 0b101011, 0b100111, 0b101111, 0b111011}, []float32{5, 2, 3, 1, 4}, []float32{15, -7, -1, 3, 5, 15}, 0b100111},
	{"E5", 8, []uint64{0b01011001, 0b11001011}, []float32{45.11, 32.09}, []float32{-13.02, 77.20, -77.20, 13.02, 77.20, -77.20, -13.02, 77.20}, 0b01011001},
}

func TestWorkedExamples(t *testing.T) {
	atEachTier(t, func(t *testing.T) {
		for _, e := range workedExamples {
			s := mustNew(t, Definition{Bits: e.bits, Float32: true}, tableHash(e.bits, e.codes...))
			indices := make([]uint64, len(e.codes))
			wide := make([]float64, len(e.codes))
			for i := range indices {
				indices[i] = uint64(i)
				wide[i] = float64(e.weights[i])
			}
			if got, err := appendErr(s, nil, indices, e.weights); err != nil || got[0] != e.want {
				t.Errorf("%s: %b, %v, want %b", e.name, got, err, e.want)
			}
			if got, err := appendErr(lanesFor[float64](s), nil, indices, wide); err != nil || got[0] != e.want {
				t.Errorf("%s in float64: %b, %v, want %b", e.name, got, err, e.want)
			}
			a := NewAccumulator[float32](s)
			if err := AddVector(a, indices, e.weights); err != nil {
				t.Fatal(err)
			}
			if got, err := a.appendErr(nil); err != nil || got[0] != e.want {
				t.Errorf("%s by an accumulator: %b, %v, want %b", e.name, got, err, e.want)
			}
			a.flush(newBuffers(s.definition, 1))
			for i, want := range e.sums {
				if got := a.sums.f32[0][e.bits-1-i]; math.Abs(float64(got-want)) > 1e-5 {
					t.Errorf("%s: sum %d from the left is %v, want %v", e.name, i, got, want)
				}
			}
		}
	})
}

// TestHyperplanesOfE1 computes E1 with stored hyperplanes: one row of ±1 for each bit, and the sign
// of the scalar product.
func TestHyperplanesOfE1(t *testing.T) {
	e := workedExamples[0]
	rows := [][]float32{{1, -1, 1}, {-1, 1, 1}} // most significant bit first
	var fingerprint uint64
	for _, row := range rows {
		var product float32
		for i, x := range e.weights {
			product += row[i] * x
		}
		fingerprint <<= 1
		if product > 0 {
			fingerprint |= 1
		}
	}
	if fingerprint != e.want {
		t.Errorf("%02b, want %02b", fingerprint, e.want)
	}
	for b, row := range rows { // the rows are the columns of the codes
		for i, code := range e.codes {
			if sign := float32(code>>(1-b)&1)*2 - 1; sign != row[i] {
				t.Errorf("row %d: entry %d is %v, but the code's sign is %v", b, i, row[i], sign)
			}
		}
	}
}

func TestHammingExamples(t *testing.T) {
	for _, c := range []struct {
		a, b uint64
		want int
	}{
		{0b100111, 0b101010, 3}, {0b10101, 0b00110, 3}, {0b00101110, 0b00001111, 2}, {0, 0, 0}, {0, math.MaxUint64, 64},
	} {
		if got := Distance64(c.a, c.b); got != c.want {
			t.Errorf("Distance64(%b, %b) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := Distance([]uint64{c.b, c.a, 7}, []uint64{c.a, c.b, 7}); got != 2*c.want {
			t.Errorf("Distance over three words: %d, want %d", got, 2*c.want)
		}
	}
}
