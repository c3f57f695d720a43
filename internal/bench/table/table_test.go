package table

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/resultfile"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// row returns a row with eight samples within one percent of the value.
func row(name, unit string, value float64) resultfile.Row {
	r := resultfile.Row{Name: name, Unit: unit}
	for i := range 8 {
		r.Samples = append(r.Samples, resultfile.Sample{Iterations: 10, Value: value * (1 + float64(i-4)/400)})
	}
	return r
}

func example() []resultfile.Row {
	return []resultfile.Row{
		row("Hash/hash=md5/encoding=le64/kernel=library/n=1024", "ns/key", 117.5),
		row("Hash/hash=xxh64/encoding=le64/kernel=library/n=1024", "ns/key", 2.6),
		row("Hash/hash=xxh64/encoding=le64/kernel=generic/n=1024", "ns/key", 1.04),
		{Name: "Hash/hash=xxh64/encoding=le64/kernel=avx2/n=1024", Unit: "ns/key", Err: "wrong answer: key 7 word 0: got 0000000000000001, expected 9f29cb17a2a49995"},
		row("Accumulate/weights=f32/f=64/kernel=naive/nnz=32", "ns/nnz", 212),
		row("Accumulate/weights=f32/f=64/kernel=naive/nnz=100", "ns/nnz", 208),
		row("Accumulate/weights=f32/f=64/kernel=generic/nnz=32", "ns/nnz", 11),
		row("Accumulate/weights=f32/f=64/kernel=generic/nnz=100", "ns/nnz", 10),
		row("Accumulate/weights=f32/f=64/kernel=avx512gfni/nnz=32", "ns/nnz", 0.5),
		row("Accumulate/weights=f32/f=64/kernel=avx512gfni/nnz=100", "ns/nnz", 0.4),
		row("Sketch/hash=xxh64/weights=f32/f=64/kernel=naive/nnz=100", "ns/nnz", 220),
		row("Sketch/hash=xxh64/weights=f32/f=64/kernel=generic/nnz=100", "ns/nnz", 12),
		row("Sketch/hash=xxh64/weights=f32/f=64/kernel=avx512gfni/nnz=100", "ns/nnz", 1.5),
		row("Sketch/hash=xxh64/weights=f32/f=64/kernel=avx512gfni/cpus=2/nnz=100", "ns/nnz", 0.8),
		row("Sketch/hash=xxh64/weights=f32/f=64/kernel=generic/data=go-source/nnz=mixed", "ns/nnz", 13),
		row("Sketch/hash=highway64/weights=f32/f=64/kernel=generic/data=go-source/nnz=mixed", "ns/nnz", 60),
		row("HammingScan/layout=plain/f=64/k=3/kernel=naive/n=10000", "MB/s", 8000),
		row("HammingScan/layout=plain/f=64/k=3/kernel=avx512gfni/n=10000", "MB/s", 188000),
		row("MemoryRead/n=10000", "MB/s", 192000),
		row("MemoryRead/n=1000000", "MB/s", 96000),
	}
}

func TestGolden(t *testing.T) { sameAs(t, "testdata/table.golden", example(), 120) }

// sameAs compares the tables of the rows with a golden file. columns is the maximum width of lines.
func sameAs(t *testing.T, golden string, rows []resultfile.Row, columns int) {
	t.Helper()
	got := written(t, rows, columns)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("table (-want +got); go test -update rewrites it:\n%s", diff)
	}
}

func written(t *testing.T, rows []resultfile.Row, columns int) string {
	t.Helper()
	var out strings.Builder
	if _, err := Write(&out, rows, true); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if n := utf8.RuneCountInString(line); n > columns && !strings.HasPrefix(line, "ERROR") {
			t.Errorf("%d columns: %s", n, line)
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("white space at the end of %q", line)
		}
	}
	return out.String()
}

func TestFitsATerminal(t *testing.T) {
	written(t, append(example(),
		row("Sketch/hash=murmur3-128/weights=unit/f=4096/kernel=avx512gfni/encoding=le64/order=sequential/range=small/cpus=2/nnz=1000", "ns/nnz", 0.1),
		row("Sketch/hash=fnv1a64/weights=f32/f=64/kernel=naive/encoding=be64/order=sequential/range=small/cpus=2/nnz=32", "ns/nnz", 1200)), 120)
}

// The factor of a baseline is one, and the factor of a kernel is the ratio of the medians. If the
// baseline failed, there is no factor.
func TestFactors(t *testing.T) {
	groups := groupsOf(resultfile.Summarize([]resultfile.Row{
		row("Hash/hash=a/kernel=generic/n=1", "ns/key", 8),
		row("Hash/hash=a/kernel=avx2/n=1", "ns/key", 2),
		{Name: "Hash/hash=b/kernel=generic/n=1", Unit: "ns/key", Err: "wrong"},
		row("Hash/hash=b/kernel=avx2/n=1", "ns/key", 2),
		row("HammingScan/kernel=generic/n=1", "MB/s", 100),
		row("HammingScan/kernel=avx2/n=1", "MB/s", 2000),
	}))
	var got []string
	for _, g := range groups {
		for _, l := range g.lines {
			got = append(got, factor(l, g, "generic"))
		}
	}
	if diff := cmp.Diff([]string{"1.00", "4.00", "", "", "1.00", "20.0"}, got); diff != "" {
		t.Errorf("factors (-want +got):\n%s", diff)
	}
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	if _, err := Write(fullDisk{}, example(), true); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}
