package datasets

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

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

// A line before a read error may be torn, so it must not become a row.
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

// A file that ends, or cannot be read any more, while the rest of a long line is passed over has
// not come to its end.
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

// Lines around the size of the buffer and of the limit, each in one piece and byte by byte.
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
						wantError(t, e, fmt.Sprintf("input:2:1: expected a line of at most %d bytes, got %q", limit, clip([]byte(long))))
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

// An endless line must not fill the memory, whatever it says.
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
