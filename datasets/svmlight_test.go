package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simhashkit/internal/syntax"
)

func TestReadLines(t *testing.T) {
	type set = CSR[float64]
	one := func(id string, indices []uint64, weights []float64) set {
		s := set{Offsets: []int{0, len(indices)}, Indices: indices, Weights: weights}
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
		{"tabs and runs of spaces", "  1\t3:1  \v 4:2\f # \t an id \t\r\n", 0, one("an id", []uint64{3, 4}, []float64{1, 2})},
		{"no label", "3:1 4:2", 0, one("", []uint64{3, 4}, []float64{1, 2})},
		{"several labels", "1,7,12 3:1", 0, one("", []uint64{3}, []float64{1})},
		{"label only", "spam", 0, one("", nil, []float64{})},
		{"qid", "2 qid:10 3:1", 0, one("", []uint64{3}, []float64{1})},
		{"qid without label", "qid:10 3:1", 0, one("", []uint64{3}, []float64{1})},
		{"id next to a value, with another #", "1 3:1#a#b", 0, one("a#b", []uint64{3}, []float64{1})},
		{"empty id", "1 3:1 #", 0, one("", []uint64{3}, []float64{1})},
		{"base 1", "1 1:5 18446744073709551615:6", 1, one("", []uint64{0, 1<<64 - 2}, []float64{5, 6})},
		{"leading zeros", "1 0000000000000000000000007:01.50", 0, one("", []uint64{7}, []float64{1.5})},
		{"forms of numbers", "1 1:+1 2:.5 3:5. 4:1e2 5:1E-2 6:-2.5e+1", 0,
			one("", []uint64{1, 2, 3, 4, 5, 6}, []float64{1, .5, 5, 100, .01, -25})},
		{"zeros are no features", "1 1:0 2:1 3:-0.0 4:0e99 5:1e-400", 0, one("", []uint64{2}, []float64{1})},
		{"descending", "1 9:1 5:2 7:3", 0, one("", []uint64{5, 7, 9}, []float64{2, 3, 1})},
		// (1e16 + 1) + 1 is 1e16, but 1e16 + (1 + 1) is not.
		{"repeats are summed in their order", "1 5:1e16 2:1 5:1 5:1", 0, one("", []uint64{2, 5}, []float64{1, 1e16})},
		{"repeats, the other order", "1 5:1 2:1 5:1 5:1e16", 0, one("", []uint64{2, 5}, []float64{1, 1e16 + 2})},
		{"sums that are zero", "1 5:2 6:1 5:-2", 0, one("", []uint64{6}, []float64{1})},
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
	// With Unit, the weight type does not matter: a fraction is valid even for int32.
	got := readText[int32](t, "1 9:2.5 5:-1 9:1e300 3:0 # x\n2\n", ReadOptions{Unit: true})
	want := CSR[int32]{Offsets: []int{0, 3, 3}, Indices: []uint64{9, 5, 9}, IDs: []string{"x", ""}}
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
		// the error after "f:2:" for float32 or int32; "" for no error
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

// A later small number must not make an infinite sum look finite, and a small negative number must
// not look like an overflow.
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
	var malformed *syntax.Error
	if !errors.As(err, &malformed) {
		t.Errorf("%q: %v, want a syntax.Error", line, err)
		return
	}
	if got, want := err.Error(), "f:2:"+want; got != want {
		t.Errorf("%q:\n got %s\nwant %s", line, got, want)
	}
}

// There are enough repeats for an unstable sort to mix them. Their sum depends on the order.
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
	if diff := cmp.Diff(CSR[float32]{Offsets: []int{0, 3}, Indices: []uint64{0, 1, 2}, Weights: sums[:]}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if got := fmt.Sprint(err); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func stringReader(text string) io.Reader { return strings.NewReader(text) }

func TestOnErrorReportsAll(t *testing.T) {
	const text = "1 1:1 # a\n1 x\n\n2 2:2 # b\n2 3:NaN\n0123456789 4:1\n3 4:1 # c"
	var seen []string
	reader := newSVMLightReader[float32](stringReader(text), ReadOptions{MaxLine: 13, OnError: func(err error) { seen = append(seen, err.Error()) }})
	var ids []string
	var lines []int
	var row Row[float32]
	for {
		err := reader.Read(&row)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		ids, lines = append(ids, string(row.ID)), append(lines, row.Line)
	}
	want := []string{
		`input:2:3: expected index:value, got "x"`,
		`input:5:5: expected a finite weight, got "NaN"`,
		`input:6:1: expected a line of at most 13 bytes, got "0123456789 4:1"`,
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("errors: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, ids); diff != "" {
		t.Errorf("rows: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]int{1, 4, 7}, lines); diff != "" {
		t.Errorf("lines: -want +got\n%s", diff)
	}
	if reader.Bad() != 3 {
		t.Errorf("Bad() = %d, want 3", reader.Bad())
	}
}

func TestErrorsStay(t *testing.T) {
	reader := newSVMLightReader[float32](stringReader("1 x\n1 2:3\n"), ReadOptions{})
	var row Row[float32]
	first := reader.Read(&row)
	if again := reader.Read(&row); first == nil || again != first {
		t.Errorf("first %v, then %v", first, again)
	}
	reader = newSVMLightReader[float32](stringReader("1 2:3\n"), ReadOptions{})
	for _, want := range []error{nil, io.EOF, io.EOF} {
		if err := reader.Read(&row); err != want {
			t.Errorf("got %v, want %v", err, want)
		}
	}
}

// A line before a read error may be incomplete, so it must not become a row.
func TestReadErrorDropsTornLine(t *testing.T) {
	broken := errors.New("broken")
	source := io.MultiReader(stringReader("1 1:1\n1 2:2\n1 3:1"), iotest.ErrReader(broken))
	reader := newSVMLightReader[float32](source, ReadOptions{Name: "f", OnError: func(err error) { t.Error(err) }})
	var row Row[float32]
	rows := 0
	err := reader.Read(&row)
	for ; err == nil; err = reader.Read(&row) {
		rows++
	}
	if rows != 2 || !errors.Is(err, broken) {
		t.Errorf("%d rows, error %v", rows, err)
	}
	wantError(t, err, "datasets: f: after line 2: broken")
}

// If a file ends, or a read fails, while the rest of a long line is skipped, the result must be an
// error.
func TestReadErrorInLongLine(t *testing.T) {
	for _, broken := range []error{io.ErrUnexpectedEOF, errors.New("broken")} {
		source := io.MultiReader(stringReader("1 1:1\n"+strings.Repeat("x", 200<<10)), iotest.ErrReader(broken))
		tooLong := 0
		set, err := readSVMLight[float32](t.Context(), source, ReadOptions{Name: "f", MaxLine: 10, OnError: func(error) { tooLong++ }})
		if !errors.Is(err, broken) || set.Len() != 0 || tooLong != 1 {
			t.Errorf("%d rows, %d lines too long, error %v, expected %v", set.Len(), tooLong, err, broken)
		}
	}
}

// Lines with lengths around the buffer size and the limit are read, in one piece and byte by byte.
func TestLineLengths(t *testing.T) {
	const buffer = 64 << 10
	for _, limit := range []int{10, buffer - 1, buffer, buffer + 1, 2 * buffer, 3*buffer + 7} {
		for delta := -2; delta <= 2; delta++ {
			for _, end := range []string{"\n", ""} {
				long := "1 7:1 #" + strings.Repeat("x", limit+delta-7)
				text := "0 1:1\n" + long + end
				if end != "" {
					text += "2 2:1\n"
				}
				for _, source := range []io.Reader{stringReader(text), iotest.OneByteReader(stringReader(text))} {
					var tooLong []error
					set, err := readSVMLight[int32](t.Context(), source, ReadOptions{MaxLine: limit, OnError: func(err error) { tooLong = append(tooLong, err) }})
					if err != nil {
						t.Fatal(err)
					}
					wantRows, wantErrors := strings.Count(text, ":1 ")+strings.Count(text, ":1\n"), 0
					if delta > 0 {
						wantRows, wantErrors = wantRows-1, 1
					}
					if set.Len() != wantRows || len(tooLong) != wantErrors {
						t.Errorf("limit %d, line of %d: %d rows, %d errors, want %d, %d", limit, len(long), set.Len(), len(tooLong), wantRows, wantErrors)
					}
					for _, e := range tooLong {
						wantError(t, e, fmt.Sprintf("input:2:1: expected a line of at most %d bytes, got %q", limit, syntax.Clip([]byte(long))))
					}
				}
			}
		}
	}
}

func TestReadAllocatesNothing(t *testing.T) {
	line := "1 5:0.25 3:1.5 9:123456.789 3:-7.25e-3 18446744073709551615:3.4028234663852886e38 # an id\n"
	for _, unit := range []bool{false, true} {
		reader := newSVMLightReader[float32](stringReader(strings.Repeat(line, 2000)), ReadOptions{Unit: unit})
		var row Row[float32]
		read := func() {
			if err := reader.Read(&row); err != nil {
				t.Fatal(err)
			}
		}
		read()
		if n := testing.AllocsPerRun(1000, read); n != 0 {
			t.Errorf("unit=%v: %v allocations a row, want 0", unit, n)
		}
	}
}

// An endless line must not exhaust the memory, whatever it contains.
func TestMemoryIsBounded(t *testing.T) {
	source := io.LimitReader(endless{}, 64<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := readSVMLight[float64](t.Context(), source, ReadOptions{MaxLine: 1 << 20})
	runtime.ReadMemStats(&after)
	wantError(t, err, `input:1:1: expected a line of at most 1048576 bytes, got "`+strings.Repeat("9", 37)+`..."`)
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
		t.Errorf("%d bytes allocated for a limit of 1 MiB", used)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '9'
	}
	return len(p), nil
}

func TestWriteLines(t *testing.T) {
	set := CSR[float32]{
		Offsets: []int{0, 5, 5, 6},
		Indices: []uint64{0, 3, 4, 5, 1<<64 - 1, 9},
		Weights: []float32{1, 0.1, -1e-45, 16777216, math.MaxFloat32, 2},
		IDs:     []string{"a # b", "", "x"},
	}
	var buf bytes.Buffer
	if err := WriteSVMLight(t.Context(), &buf, &set); err != nil {
		t.Fatal(err)
	}
	want := "0 0:1 3:0.1 4:-1e-45 5:1.6777216e+07 18446744073709551615:3.4028235e+38 # a # b\n0\n0 9:2 # x\n"
	if diff := cmp.Diff(want, buf.String()); diff != "" {
		t.Error(diff)
	}
	buf.Reset()
	unit := CSR[int64]{Offsets: []int{0, 3}, Indices: []uint64{9, 2, 9}}
	if err := WriteSVMLight(t.Context(), &buf, &unit); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("0 9:1 2:1 9:1\n", buf.String()); diff != "" {
		t.Error(diff)
	}
}

func TestWriteRefuses(t *testing.T) {
	for _, c := range []struct {
		id     string
		weight float64
		want   string
	}{
		{"", math.NaN(), "datasets: write row 2: weight NaN of index 5 is not finite"},
		{"", math.Inf(-1), "datasets: write row 2: weight -Inf of index 5 is not finite"},
		{"a\nb", 1, `datasets: write row 2: id "a\nb" has a line break`},
	} {
		set := CSR[float64]{Offsets: []int{0, 1, 2}, Indices: []uint64{5, 5}, Weights: []float64{2, c.weight}, IDs: []string{"", c.id}}
		wantError(t, WriteSVMLight(t.Context(), io.Discard, &set), c.want)
	}
	set := CSR[float64]{Offsets: []int{0, 2}, Indices: []uint64{1}}
	wantError(t, WriteSVMLight(t.Context(), io.Discard, &set), "datasets: offsets end at 2, but there are 1 indices")
}

// A failed write is an error, even if only the final flush fails.
func TestWritePassesErrorsOn(t *testing.T) {
	full := errors.New("disk full")
	for _, rows := range []int{1, 1 << 18} {
		set := CSR[float64]{Offsets: make([]int, rows+1)}
		if err := WriteSVMLight(t.Context(), failingWriter{full}, &set); !errors.Is(err, full) {
			t.Errorf("%d rows: %v", rows, err)
		}
	}
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

// Written sets read back bit for bit, in each weight type and without weights.
func TestWriteThenRead(t *testing.T) {
	t.Run("int32", func(t *testing.T) { writeThenRead(t, rapid.Int32()) })
	t.Run("int64", func(t *testing.T) { writeThenRead(t, rapid.Int64()) })
	t.Run("float32", func(t *testing.T) { writeThenRead(t, rapid.Float32()) })
	t.Run("float64", func(t *testing.T) { writeThenRead(t, rapid.Float64()) })
}

func writeThenRead[W Weight](t *testing.T, weights *rapid.Generator[W]) {
	weights = weights.Filter(func(w W) bool { return w != 0 && !math.IsInf(float64(w), 0) && w == w })
	rapid.Check(t, func(t *rapid.T) {
		set := CSR[W]{Offsets: []int{0}, Weights: []W{}}
		unit := rapid.Bool().Draw(t, "unit")
		if unit {
			set.Weights = nil
		}
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			row := Row[W]{
				ID:      []byte(rapid.StringMatching(`([^ \t\n\v\f\r]([^\n]*[^ \t\n\v\f\r])?)?`).Draw(t, "id")),
				Indices: rapid.SliceOf(rapid.Uint64()).Draw(t, "indices"),
			}
			if !unit {
				slices.Sort(row.Indices)
				row.Indices = slices.Compact(row.Indices)
				row.Weights = rapid.SliceOfN(weights, len(row.Indices), len(row.Indices)).Draw(t, "weights")
			}
			if err := set.Append(&row); err != nil {
				t.Fatal(err)
			}
		}
		var buf bytes.Buffer
		if err := WriteSVMLight(t.Context(), &buf, &set); err != nil {
			t.Fatal(err)
		}
		got, err := readSVMLight[W](t.Context(), &buf, ReadOptions{Unit: unit})
		if err != nil {
			t.Fatal(err)
		}
		if !sameSet(&set, &got) {
			t.Fatalf("wrote %+v, read %+v", set, got)
		}
	})
}

// sameSet compares bit for bit. Nil and empty slices are equal.
func sameSet[W Weight](a, b *CSR[W]) bool {
	return slices.Equal(a.Offsets, b.Offsets) && slices.Equal(a.Indices, b.Indices) && (a.Weights == nil) == (b.Weights == nil) &&
		fmt.Sprintf("%x", a.Weights) == fmt.Sprintf("%x", b.Weights) && slices.Equal(a.IDs, b.IDs)
}
