package datasets

import (
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

// parsed returns a number as a weight, and what was expected instead.
func parsed[W Weight](text string) (W, string) {
	r := newReader[W](ReadOptions{})
	weight, _, want := r.parseWeight([]byte(text), "a number")
	return weight, want
}

func TestFloatsAreNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := numerals().Draw(t, "text")
		want, err := strconv.ParseFloat(text, 64)
		if got, wanted := parsed[float64](text); (wanted == "") != (err == nil) || err == nil && got != want {
			t.Fatalf("%q as float64: %v %s, strconv %v %v", text, got, wanted, want, err)
		}
		want, err = strconv.ParseFloat(text, 32)
		if got, wanted := parsed[float32](text); (wanted == "") != (err == nil) || err == nil && got != float32(want) {
			t.Fatalf("%q as float32: %v %s, strconv %v %v", text, got, wanted, want, err)
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
		if got, wanted := parsed[float32](text); wanted != "" || got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestIntegersAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := numerals().Draw(t, "text")
		rat, ok := new(big.Rat).SetString(strings.TrimPrefix(text, "+"))
		if !ok {
			t.Fatalf("%q is no number", text)
		}
		fits := rat.IsInt() && rat.Num().IsInt64()
		exact := rat.Num().Int64()
		if got, want := parsed[int64](text); fits != (want == "") || fits && got != exact || rat.IsInt() == (want == "an integer weight") {
			t.Fatalf("%q as int64: %d %s, want %d", text, got, want, exact)
		}
		fits = fits && exact == int64(int32(exact))
		if got, want := parsed[int32](text); fits != (want == "") || fits && int64(got) != exact {
			t.Fatalf("%q as int32: %d %s, want %d", text, got, want, exact)
		}
	})
}

func TestIntegerEdges(t *testing.T) {
	const fraction, tooLarge = "an integer weight", "an integer weight that fits int64"
	for _, c := range []struct {
		text   string
		weight int64
		want   string
	}{
		{"9223372036854775807", math.MaxInt64, ""},
		{"9223372036854775808", 0, tooLarge},
		{"-9223372036854775808", math.MinInt64, ""},
		{"-9223372036854775809", 0, tooLarge},
		{"922337203685477580.70e1", math.MaxInt64, ""},
		{"10000000000000000000000e-20", 100, ""},
		{"10000000000000000000001e-20", 0, fraction},
		{"10000000000000000000001", 0, tooLarge},
		{"3700000000000000000e1", 0, tooLarge}, // wraps around to a small number
		{"19999999999999999999", 0, tooLarge},  // exceeds uint64, like the next one
		{"18446744073709551617", 0, tooLarge},
		{"1844674407370955161.7", 0, fraction},
		{"1e999999999999999999999", 0, tooLarge},
		{"1e999999999", 0, tooLarge},
		{"1e-999999999", 0, ""}, // rounded to 0
		{"0e999999999999999999999", 0, ""},
		{"-0.000", 0, ""},
	} {
		if got, want := parsed[int64](c.text); got != c.weight || want != c.want {
			t.Errorf("%s: %d, %q", c.text, got, want)
		}
	}
}

func TestNoDecimals(t *testing.T) {
	for _, text := range []string{"", "+", "-", ".", "-.", "e5", ".e5", "1e", "1e+", "x", "0x1p3", "1_0", "1-", "--1", "1e1e1", "१"} {
		if w, want := parsed[float64](text); want != "a number" {
			t.Errorf("%q: %v, %s", text, w, want)
		}
		if w, want := parsed[int32](text); want != "a number" {
			t.Errorf("%q: %v, %s", text, w, want)
		}
	}
}
