package datasets

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// numerals generates decimal numbers of all shapes, many of them near the midpoints of float32 and
// float64 values, where rounding is hardest.
func numerals() *rapid.Generator[string] {
	shapes := []*rapid.Generator[string]{
		rapid.StringMatching(`[+-]?[0-9]{1,8}(\.[0-9]{0,8})?`),
		rapid.StringMatching(`[+-]?[0-9]{0,3}\.[0-9]{1,30}([eE][+-]?[0-9]{1,3})?`),
		rapid.StringMatching(`[+-]?[0-9]{15,25}0{0,8}(\.[0-9]{0,8})?([eE][+-]?[0-9]{1,2})?`),
		rapid.Map(rapid.Int64(), func(i int64) string { return strconv.FormatInt(i, 10) }),
		rapid.Map(rapid.Float64(), func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }),
		rapid.Custom(func(t *rapid.T) string { // near the midpoint of two float32 values
			f := rapid.OneOf(rapid.Float32Range(1, 8), rapid.Float32Range(1e-20, 1e20)).Draw(t, "float")
			next := math.Nextafter32(f, math.MaxFloat32)
			middle := (float64(f) + float64(next)) / 2
			nudge := rapid.SampledFrom([]float64{0, -1, 1}).Draw(t, "nudge")
			if nudge != 0 {
				middle = math.Nextafter(middle, nudge*math.MaxFloat64)
			}
			digits := rapid.IntRange(14, 22).Draw(t, "digits")
			return strconv.FormatFloat(middle, 'g', digits, 64)
		}),
	}
	return rapid.OneOf(shapes...)
}

func scanAll(t *rapid.T, text string) decimal {
	d, end, ok := scanDecimal([]byte(text), 0)
	if !ok || end != len(text) {
		t.Fatalf("%q: scanned to %d, %v", text, end, ok)
	}
	return d
}

func TestFloatsAreNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := numerals().Draw(t, "text")
		d := scanAll(t, text)
		for _, bits := range []int{32, 64} {
			want, err := strconv.ParseFloat(text, bits)
			got, ok := d.float64([]byte(text))
			if bits == 32 {
				got, ok = d.float32([]byte(text))
			}
			if ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%q as float%d: %v %v, strconv %v %v", text, bits, got, ok, want, err)
			}
		}
	})
}

// 16777217 is 2^24 + 1. For a number slightly above it, the nearest float32 is 16777218. Rounding
// to float64 first would give a tie, which rounds to 16777216.
func TestNoDoubleRounding(t *testing.T) {
	for text, want := range map[string]float32{
		"16777217":                     16777216,
		"16777217.0000000001":          16777218,
		"16777216.9999999999":          16777216,
		"167772170000000001e-10":       16777218,
		"0.000000000016777217":         1.6777217e-11,
		"7.038531e-26":                 7.038531e-26,
		"1.00000017881393421514957253": 1.0000001, // below the midpoint 1.00000017881393432617...
		"1.00000017881393432617187500": 1.0000002,
		// The number has few digits, but its nearest float64 is the midpoint of two float32 values,
		// and rounding that to even gives the wrong result.
		"4.468045949935913": 0x1.1df476p+2,
		"1.657017171382904": 0x1.a83246p+0,
		"4.029369592666626": 0x1.01e132p+2,
	} {
		d, _, _ := scanDecimal([]byte(text), 0)
		if got, ok := d.float32([]byte(text)); !ok || float32(got) != want {
			t.Errorf("%s: %v, want %v", text, float32(got), want)
		}
	}
}

func TestIntegersAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := numerals().Draw(t, "text")
		d := scanAll(t, text)
		exact, ok := new(big.Rat).SetString(strings.TrimPrefix(text, "+"))
		if !ok {
			t.Fatalf("%q is no number", text)
		}
		for _, bits := range []int{32, 64} {
			limit := int64(1)<<(bits-1) - 1
			got, result := d.integer(limit)
			fits := exact.IsInt() && exact.Num().IsInt64() && exact.Num().Int64() <= limit && exact.Num().Int64() >= -limit-1
			switch {
			case fits != (result == isInteger):
				t.Fatalf("%q as int%d: result %d, fits %v", text, bits, result, fits)
			case fits && got != exact.Num().Int64():
				t.Fatalf("%q as int%d: %d", text, bits, got)
			case result == isFraction && exact.IsInt():
				t.Fatalf("%q is called a fraction", text)
			}
		}
	})
}

func TestIntegerEdges(t *testing.T) {
	for _, c := range []struct {
		text   string
		want   int64
		result int
	}{
		{"9223372036854775807", math.MaxInt64, isInteger},
		{"9223372036854775808", 0, isTooLarge},
		{"-9223372036854775808", math.MinInt64, isInteger},
		{"-9223372036854775809", 0, isTooLarge},
		{"922337203685477580.70e1", math.MaxInt64, isInteger},
		{"10000000000000000000000e-20", 100, isInteger},
		{"10000000000000000000001e-20", 0, isFraction},
		{"10000000000000000000001", 0, isTooLarge},
		{"3700000000000000000e1", 0, isTooLarge}, // wraps around to a small number
		{"19999999999999999999", 0, isTooLarge},  // exceeds uint64, like the next one
		{"18446744073709551617", 0, isTooLarge},
		{"1844674407370955161.7", 0, isFraction},
		{"1e999999999999999999999", 0, isTooLarge},
		{"1e-999999999999999999999", 0, isFraction},
		{"0e999999999999999999999", 0, isInteger},
		{"-0.000", 0, isInteger},
	} {
		d, end, ok := scanDecimal([]byte(c.text), 0)
		if got, result := d.integer(math.MaxInt64); !ok || end != len(c.text) || got != c.want || result != c.result {
			t.Errorf("%s: %d, result %d", c.text, got, result)
		}
	}
}

func TestNoDecimals(t *testing.T) {
	for _, text := range []string{"", "+", "-", ".", "-.", "e5", ".e5", "1e", "1e+", "inf", "nan", "x"} {
		if d, end, ok := scanDecimal([]byte(text), 0); ok {
			t.Errorf("%q: %v", text, fmt.Sprint(d, end))
		}
	}
}
