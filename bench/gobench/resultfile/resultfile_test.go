package resultfile

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func example() File {
	return File{
		Head:   []Field{{"date", "2026-01-02T03:04:05Z"}, {"command", "fphash bench"}, {"data", "go-source: 512 of 11021 files"}},
		Config: []Field{{"goos", "linux"}, {"goarch", "amd64"}, {"pkg", "simhashkit/bench"}, {"cpu", "Some Processor @ 3 GHz"}},
		Rows: []Row{
			{Name: "Hash/hash=md5/encoding=le64/kernel=avx2/n=1024", Err: "wrong answer: key 7"},
			{Name: "Hash/hash=xxh64/encoding=le64/kernel=avx2/n=1024", Unit: "ns/key", Samples: []Sample{{1000, 0.7}, {1000, 0.71234567}, {1000, 0.68}}},
			{Name: "MemoryRead/n=10000", Unit: "MB/s", Samples: []Sample{{5, 123456.78}, {5, 120000}, {5, 119999.5}}},
		},
		Units: []Unit{{Name: "ns/key", Better: -1}, {Name: "MB/s", Better: +1}},
	}
}

func write(t *testing.T, f File) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFormat(t *testing.T) {
	want := `# date: 2026-01-02T03:04:05Z
# command: fphash bench
# data: go-source: 512 of 11021 files
# error: Hash/hash=md5/encoding=le64/kernel=avx2/n=1024: wrong answer: key 7
Unit ns/key better=lower
Unit MB/s better=higher
goos: linux
goarch: amd64
pkg: simhashkit/bench
cpu: Some Processor @ 3 GHz

BenchmarkHash/hash=xxh64/encoding=le64/kernel=avx2/n=1024 1000 0.7 ns/key
BenchmarkHash/hash=xxh64/encoding=le64/kernel=avx2/n=1024 1000 0.71234567 ns/key
BenchmarkHash/hash=xxh64/encoding=le64/kernel=avx2/n=1024 1000 0.68 ns/key
BenchmarkMemoryRead/n=10000 5 123456.78 MB/s
BenchmarkMemoryRead/n=10000 5 120000 MB/s
BenchmarkMemoryRead/n=10000 5 119999.5 MB/s
`
	if diff := cmp.Diff(want, string(write(t, example()))); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

func TestRoundTrip(t *testing.T) {
	got, err := Read(bytes.NewReader(write(t, example())), "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(example(), got); diff != "" {
		t.Errorf("after a round trip (-want +got):\n%s", diff)
	}
}

// If a file has several runs, their samples are merged, and equal errors are listed once.
func TestReadSeveralRuns(t *testing.T) {
	second := example()
	second.Head = []Field{{"date", "2026-01-02T04:00:00Z"}}
	second.Rows[1].Samples = []Sample{{1000, 0.9}}
	second.Rows = append(second.Rows, Row{Name: "MemoryRead/n=10000", Err: "wrong answer: 1"})
	got, err := Read(bytes.NewReader(append(write(t, example()), write(t, second)...)), "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := example()
	want.Head = append(want.Head, second.Head...)
	want.Rows[1].Samples = append(want.Rows[1].Samples, Sample{1000, 0.9})
	want.Rows[2].Samples = append(want.Rows[2].Samples, want.Rows[2].Samples...)
	want.Rows = slices.Insert(want.Rows, 1, Row{Name: "MemoryRead/n=10000", Err: "wrong answer: 1"})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEightDigits(t *testing.T) {
	f := example()
	f.Rows[1].Samples = []Sample{{1, 1.0 / 3}, {1, 200.0 / 3 * 1e12}}
	got, err := Read(bytes.NewReader(write(t, f)), "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Sample{{1, 0.33333333}, {1, 66666667e6}}, got.Rows[1].Samples); diff != "" {
		t.Error(diff)
	}
}

func TestLineBreaksDoNotBreakTheFormat(t *testing.T) {
	f := example()
	f.Head[0].Value = "two\nlines"
	f.Rows[0].Err = "first\nBenchmarkX 1 1 ns/op"
	got, err := Read(bytes.NewReader(write(t, f)), "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got.Head[0].Value != "two lines" || len(got.Rows) != 3 || got.Rows[0].Err != "first BenchmarkX 1 1 ns/op" {
		t.Errorf("read back %+v", got)
	}
}

func TestReadRejects(t *testing.T) {
	for text, want := range map[string]string{
		"goos: linux\nBenchmarkX 1 oops ns/op\n": "resultfile: a.txt:2: ",
		"\xff\xfeg\x00o\x00":                     "resultfile: a.txt: the file is UTF-16",
	} {
		if _, err := Read(strings.NewReader(text), "a.txt"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// A value of 0 has the same unit as the others, and a byte order mark is not part of a line.
func TestReadForeignFiles(t *testing.T) {
	got, err := Read(strings.NewReader("\xef\xbb\xbfgoos: linux\r\nBenchmarkX-8 1 0 ns/op\r\nBenchmarkX-8 1 2 ns/op\r\nPASS\r\n"), "a.txt")
	want := File{Config: []Field{{"goos", "linux"}}, Rows: []Row{{Name: "X-8", Unit: "ns/op", Samples: []Sample{{1, 0}, {1, 2}}}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("error %v, (-want +got):\n%s", err, diff)
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	if err := Write(fullDisk{}, example()); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

// Exact figures of one name share a line. The metadata declares them exact, and Read restores them.
func TestExactFigures(t *testing.T) {
	exact := func(name, unit string, value float64) Row {
		return Row{Name: name, Unit: unit, Samples: []Sample{{1, value}}}
	}
	f := File{
		Config: []Field{{"goos", "linux"}},
		Rows: []Row{
			exact("Quality/hash=a/f=64", "effective-bits", 64.25),
			exact("Quality/hash=a/f=64", "bias", -0.001),
			exact("Quality/hash=b/f=64", "effective-bits", 3),
			{Name: "Hash/hash=a/n=1", Unit: "ns/key", Samples: []Sample{{9, 1}, {9, 2}}},
			// this row has several samples, so it has its own lines
			{Name: "Hash/hash=a/n=1", Unit: "other", Samples: []Sample{{9, 1}}},
		},
		Units: []Unit{{Name: "effective-bits", Exact: true, Better: +1}, {Name: "bias", Exact: true}, {Name: "ns/key", Better: -1}},
	}
	// a unit without metadata has no metadata line
	const want = `Unit effective-bits assume=exact
Unit effective-bits better=higher
Unit bias assume=exact
Unit ns/key better=lower
goos: linux

BenchmarkQuality/hash=a/f=64 1 64.25 effective-bits -0.001 bias
BenchmarkQuality/hash=b/f=64 1 3 effective-bits
BenchmarkHash/hash=a/n=1 9 1 ns/key
BenchmarkHash/hash=a/n=1 9 2 ns/key
BenchmarkHash/hash=a/n=1 9 1 other
`
	text := write(t, f)
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	got, err := Read(bytes.NewReader(text), "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f, got); diff != "" {
		t.Errorf("after a round trip (-want +got):\n%s", diff)
	}
}

// The interval needs six values. Its width is that of the larger half.
func TestFigure(t *testing.T) {
	for _, tc := range []struct {
		values    []float64
		want      Figure
		plusMinus string
	}{
		{[]float64{5, 1, 3}, Figure{3, math.Inf(-1), math.Inf(1), 3}, "∞"},
		{[]float64{103, 101, 100, 95, 100, 100}, Figure{100, 95, 103, 6}, "5%"},
		{[]float64{97, 99, 100, 105, 100, 100}, Figure{100, 97, 105, 6}, "5%"},
		{[]float64{-97, -99, -100, -105, -100, -100}, Figure{-100, -105, -97, 6}, "5%"},
		{[]float64{0, 0, 0, 0, 0, 0}, Figure{0, 0, 0, 6}, "0%"},
		{[]float64{-2, 0, 0, 0, 0, 1}, Figure{0, -2, 1, 6}, "150%"},
	} {
		given := slices.Clone(tc.values)
		got := NewFigure(given)
		if got != tc.want || got.PlusMinus() != tc.plusMinus || !slices.Equal(given, tc.values) {
			t.Errorf("%v: %v ± %s, want %v ± %s", tc.values, got, got.PlusMinus(), tc.want, tc.plusMinus)
		}
	}
}

func row(name string, values ...float64) Row {
	r := Row{Name: name, Unit: "ns/nnz"}
	for _, v := range values {
		r.Samples = append(r.Samples, Sample{Iterations: 1, Value: v})
	}
	return r
}

func TestSummarize(t *testing.T) {
	rows := Summarize([]Row{
		row("A/kernel=avx2/n=1", 5, 1, 3, 2, 4, 6, 7, 8, 9),
		row("A/kernel=avx2/n=2"),
		{Name: "A/kernel=avx2/n=3", Err: "wrong answer"},
		row("somebody's", 1),
	})
	if r := rows[0]; r.Median != 5 || r.Lo > 3 || r.Hi < 7 || r.Err != "" || r.Name.Get("kernel") != "avx2" {
		t.Errorf("%+v", r)
	}
	if rows[1].Err != "no samples" || rows[2].Err != "wrong answer" || rows[3].Name.String() != "somebody's" {
		t.Errorf("%+v", rows[1:])
	}
	if got := rows[3].PlusMinus(); got != "∞" {
		t.Errorf("interval of one sample: %q", got)
	}
}
