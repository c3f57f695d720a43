package datasets

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadLines(t *testing.T) {
	type set = CSR[float64]
	one := func(label, id string, indices []uint64, weights []float64) set {
		s := set{Offsets: []int{0, len(indices)}, Indices: indices, Weights: weights}
		if label != "" {
			s.Labels = []string{label}
		}
		if id != "" {
			s.IDs = []string{id}
		}
		return s
	}
	empty := set{Offsets: []int{0}, Weights: []float64{}}
	for _, c := range []struct {
		name, text string
		base       uint64
		want       set
	}{
		{"two rows", smallText, 0, smallSet()},
		{"CRLF", "1 3:1.5 18446744073709551615:-2 # first\r\n-1 7:0.25\r\n", 0, smallSet()},
		{"last line without line feed", smallText[:len(smallText)-1], 0, smallSet()},
		{"blank lines and comments", "\n# head\n \t\r\n" + smallText + "   # tail", 0, smallSet()},
		{"byte order marks of joined files", "\ufeff1 3:1.5 18446744073709551615:-2 # first\n\ufeff-1 7:0.25\n", 0, smallSet()},
		{"nothing", "", 0, empty},
		{"only blank", "\n\r\n#x\n\ufeff\n", 0, empty},
		{"tabs and runs of spaces", "  1\t3:1  \v 4:2\f # \t an id \t\r\n", 0, one("1", "an id", []uint64{3, 4}, []float64{1, 2})},
		{"no label", "3:1 4:2", 0, one("", "", []uint64{3, 4}, []float64{1, 2})},
		{"several labels", "1,7,12 3:1", 0, one("1,7,12", "", []uint64{3}, []float64{1})},
		{"label only", "spam", 0, one("spam", "", nil, []float64{})},
		{"qid", "2 qid:10 3:1", 0, one("2", "", []uint64{3}, []float64{1})},
		{"qid without label", "qid:10 3:1", 0, one("", "", []uint64{3}, []float64{1})},
		{"id next to a value, with another #", "1 3:1#a#b", 0, one("1", "a#b", []uint64{3}, []float64{1})},
		{"empty id", "1 3:1 #", 0, one("1", "", []uint64{3}, []float64{1})},
		{"base 1", "1 1:5 18446744073709551615:6", 1, one("1", "", []uint64{0, 1<<64 - 2}, []float64{5, 6})},
		{"leading zeros", "1 0000000000000000000000007:01.50", 0, one("1", "", []uint64{7}, []float64{1.5})},
		{"forms of numbers", "1 1:+1 2:.5 3:5. 4:1e2 5:1E-2 6:-2.5e+1", 0,
			one("1", "", []uint64{1, 2, 3, 4, 5, 6}, []float64{1, .5, 5, 100, .01, -25})},
		{"zeros are no features", "1 1:0 2:1 3:-0.0 4:0e99 5:1e-400", 0, one("1", "", []uint64{2}, []float64{1})},
		{"descending", "1 9:1 5:2 7:3", 0, one("1", "", []uint64{5, 7, 9}, []float64{2, 3, 1})},
		// (1e16 + 1) + 1 is 1e16, 1e16 + (1 + 1) is not.
		{"repeats are summed in their order", "1 5:1e16 2:1 5:1 5:1", 0, one("1", "", []uint64{2, 5}, []float64{1, 1e16})},
		{"repeats, the other order", "1 5:1 2:1 5:1 5:1e16", 0, one("1", "", []uint64{2, 5}, []float64{1, 1e16 + 2})},
		{"sums that are zero", "1 5:2 6:1 5:-2", 0, one("1", "", []uint64{6}, []float64{1})},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := readText[float64](t, c.text, ReadOptions{Base: c.base})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestReadUnit(t *testing.T) {
	// The weight type does not matter: a fraction that int32 would refuse is fine.
	got := readText[int32](t, "1 9:2.5 5:-1 9:1e300 3:0 # x\n2\n", ReadOptions{Unit: true})
	want := CSR[int32]{Offsets: []int{0, 3, 3}, Indices: []uint64{9, 5, 9}, Labels: []string{"1", "2"}, IDs: []string{"x", ""}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestReadIntegers(t *testing.T) {
	got := readText[int64](t, "9223372036854775807:9223372036854775807 9223372036854775808:-9223372036854775808 "+
		"9223372036854775809:3.0 9223372036854775810:3e2 9223372036854775811:25000e-3 9223372036854775812:9007199254740993.00", ReadOptions{})
	want := []int64{1<<63 - 1, -1 << 63, 3, 300, 25, 1<<53 + 1}
	if diff := cmp.Diff(want, got.Weights); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestMalformedLines(t *testing.T) {
	const indexRange = "an index from 0 to 18446744073709551615"
	cases := []struct {
		// what follows "f:2:" in the error when reading float32 or int32; "" for no error
		line, float, int32 string
	}{
		{"1 12:abc", `3: expected index:value, got "12:abc"`, "same"},
		{"1 12", `3: expected index:value, got "12"`, "same"},
		{"1 2 3:4", `3: expected index:value, got "2"`, "same"},
		{"1 3:1  :5", `8: expected index:value, got ":5"`, "same"},
		{"1 3:", `3: expected index:value, got "3:"`, "same"},
		{"1 3: 5", `3: expected index:value, got "3:"`, "same"},
		{"1 a:5", `3: expected index:value, got "a:5"`, "same"},
		{"1 +3:5", `3: expected index:value, got "+3:5"`, "same"},
		{"1 3.0:5", `3: expected index:value, got "3.0:5"`, "same"},
		{"1 3:5:6", `3: expected index:value, got "3:5:6"`, "same"},
		{"1 3:5,4:6", `3: expected index:value, got "3:5,4:6"`, "same"},
		{"1 3:1,5", `3: expected index:value, got "3:1,5"`, "same"},
		{"1 3:--1", `3: expected index:value, got "3:--1"`, "same"},
		{"1 3:0x10", `3: expected index:value, got "3:0x10"`, "same"},
		{"1 3:1_000", `3: expected index:value, got "3:1_000"`, "same"},
		{"1 3:1e", `3: expected index:value, got "3:1e"`, "same"},
		{"1 3:1e+", `3: expected index:value, got "3:1e+"`, "same"},
		{"1 3:.", `3: expected index:value, got "3:."`, "same"},
		{"1 3:1 # ok\x00", "", ""},
		{"1 3:1\x00", `3: expected index:value, got "3:1\x00"`, "same"},
		{"1 qid:x 3:1", `3: expected a whole number after qid:, got "qid:x"`, "same"},
		{"1 3:1 qid:7", `7: expected index:value, got "qid:7"`, "same"},
		{"1 -4:1", `3: expected ` + indexRange + `, got "-4"`, "same"},
		{"1 18446744073709551616:1", `3: expected ` + indexRange + `, got "18446744073709551616"`, "same"},
		{"1 99999999999999999999999:1", `3: expected ` + indexRange + `, got "99999999999999999999999"`, "same"},
		// 2^65, low bits zero
		{"1 36893488147419103232:1", `3: expected ` + indexRange + `, got "36893488147419103232"`, "same"},
		{"1 3:NaN", `5: expected a finite weight, got "NaN"`, "same"},
		{"1 3:-inf", `5: expected a finite weight, got "-inf"`, "same"},
		{"1 3:Infinity", `5: expected a finite weight, got "Infinity"`, "same"},
		{"1 3:1e99", `5: expected a weight that fits float32, got "1e99"`, `5: expected an integer weight that fits int32, got "1e99"`},
		{"1 3:3.5e38", `5: expected a weight that fits float32, got "3.5e38"`, `5: expected an integer weight that fits int32, got "3.5e38"`},
		{"1 3:3.5", "", `5: expected an integer weight, got "3.5"`},
		{"1 3:1e-1", "", `5: expected an integer weight, got "1e-1"`},
		{"1 3:3.000000000000000000000000001", "", `5: expected an integer weight, got "3.000000000000000000000000001"`},
		{"1 3:2147483648", "", `5: expected an integer weight that fits int32, got "2147483648"`},
		{"1 3:-2147483649", "", `5: expected an integer weight that fits int32, got "-2147483649"`},
		{"1 3:-2147483648", "", ""},
		{"1 3:2147483647 2:1 3:1", "", `20: expected a sum of repeated features that fits int32, got "3:1"`},
		{"1 3:-2147483648 2:1 3:-1", "", `21: expected a sum of repeated features that fits int32, got "3:-1"`},
		{"1 3:-3e38 3:-3e38", `11: expected a sum of repeated features that fits float32, got "3:-3e38"`, `5: expected an integer weight that fits int32, got "-3e38"`},
		{"\x1f\x8b\x08\x00 1:1", `1: expected a label or index:value, got "\x1f\x8b\b\x00"`, "same"},
		{"\ufeff1 x", `6: expected index:value, got "x"`, "same"},
		{"1 0123456789012345678901234567890123456789x:1", `3: expected index:value, got "0123456789012345678901234567890123456..."`, "same"},
	}
	for _, c := range cases {
		text := "0 1:1\n" + c.line + "\n"
		_, err := readSVMLight[float32](t.Context(), stringReader(text), ReadOptions{Name: "f"})
		checkSyntaxError(t, c.line, c.float, err)
		if c.int32 == "same" {
			c.int32 = c.float
		}
		_, err = readSVMLight[int32](t.Context(), stringReader(text), ReadOptions{Name: "f"})
		checkSyntaxError(t, c.line, c.int32, err)
	}
}

func TestMalformedUnderOptions(t *testing.T) {
	_, err := readSVMLight[float32](t.Context(), stringReader("1 2:1 0:1"), ReadOptions{Base: 1})
	wantError(t, err, `input:1:7: expected an index from 1 to 18446744073709551615, got "0"`)
	_, err = readSVMLight[int32](t.Context(), stringReader("1 2:1e400"), ReadOptions{Unit: true})
	wantError(t, err, `input:1:5: expected a weight that fits float64, got "1e400"`)
	_, err = readSVMLight[int64](t.Context(), stringReader("1 2:9223372036854775807 2:1"), ReadOptions{})
	wantError(t, err, `input:1:25: expected a sum of repeated features that fits int64, got "2:1"`)
	_, err = readSVMLight[int64](t.Context(), stringReader("1 2:9223372036854775808"), ReadOptions{})
	wantError(t, err, `input:1:5: expected an integer weight that fits int64, got "9223372036854775808"`)
}

// A later small number must not make a sum that went to infinity look finite again, nor must a
// small negative summand look like an overflow.
func TestFloatSums(t *testing.T) {
	_, err := readSVMLight[float64](t.Context(), stringReader("1 2:1e308 2:1e308 2:-1e308"), ReadOptions{})
	wantError(t, err, `input:1:11: expected a sum of repeated features that fits float64, got "2:1e308"`)
	got := readText[float64](t, "1 2:1e300 2:-1 2:1", ReadOptions{})
	if diff := cmp.Diff([]float64{1e300}, got.Weights); diff != "" {
		t.Error(diff)
	}
}

func checkSyntaxError(t *testing.T, line, want string, err error) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Errorf("%q: %v, want no error", line, err)
		}
		return
	}
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		t.Errorf("%q: %v, want a SyntaxError", line, err)
		return
	}
	if got, want := err.Error(), "f:2:"+want; got != want {
		t.Errorf("%q:\n got %s\nwant %s", line, got, want)
	}
}

// So many repeats that a sort which is not stable would mix them: their sum depends on the order.
func TestManyRepeatsAreSummedInOrder(t *testing.T) {
	var line strings.Builder
	line.WriteString("1")
	sums := [3]float32{}
	for i := range 3000 {
		index, weight := i%3, float32(math.Ldexp(float64(i%17-8), i%29))
		fmt.Fprintf(&line, " %d:%g", index, weight)
		sums[index] += weight
	}
	got := readText[float32](t, line.String(), ReadOptions{})
	if diff := cmp.Diff(CSR[float32]{Offsets: []int{0, 3}, Indices: []uint64{0, 1, 2}, Weights: sums[:], Labels: []string{"1"}}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if got := fmt.Sprint(err); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}
