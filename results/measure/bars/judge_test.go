package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/resultfile"
)

var update = flag.Bool("update", false, "write testdata/bars.golden anew")

// row has samples around the value, one in a hundred apart.
func row(name, unit string, value float64) resultfile.Row {
	r := resultfile.Row{Name: name, Unit: unit}
	for i := range 9 {
		r.Samples = append(r.Samples, resultfile.Sample{Iterations: 10, Value: value * (1 + float64(i-4)/400)})
	}
	return r
}

func exampleRows() []resultfile.Summary {
	return resultfile.Summarize([]resultfile.Row{
		row("Accumulate/weights=f32/f=64/kernel=generic/nnz=100", "ns/nnz", 10),
		row("Accumulate/weights=f32/f=64/kernel=avx2/nnz=8", "ns/nnz", 2.5),
		row("Accumulate/weights=f32/f=64/kernel=avx2/nnz=100", "ns/nnz", 2),
		row("Accumulate/weights=i32/f=64/kernel=avx2/nnz=100", "ns/nnz", 1.5),
		{Name: "Accumulate/weights=i64/f=64/kernel=avx2/nnz=100", Unit: "ns/nnz", Err: "wrong answer"},
		row("Hash/hash=xxh64/encoding=le64/kernel=generic/n=1024", "ns/key", 1),
		row("Sketch/hash=xxh64/weights=f32/f=64/kernel=avx2/nnz=100", "ns/nnz", 3.07),
		row("MemoryRead/n=10000", "MB/s", 100_000),
		row("HammingScan/layout=plain/f=64/k=3/kernel=avx2/n=10000", "MB/s", 44_000),
		row("HammingScan/layout=split/f=64/k=3/kernel=avx2/n=10000", "MB/s", 90_000),
		row("Build/index=blocks/n=1", "ns/op", 100e6),
		{Name: "Build/index=blocks/n=1", Unit: "bytes/entry", Samples: []resultfile.Sample{{Iterations: 1, Value: 48.5}}},
		row("Build/index=manku10/n=1", "ns/op", 200e6),
		{Name: "Build/index=manku10/n=1", Unit: "bytes/entry", Samples: []resultfile.Sample{{Iterations: 1, Value: 120}}},
	})
}

// Every kind of bar, and every verdict.
const exampleBars = `# comment
Accumulate/weights=f32/f=64/kernel=avx2/nnz={8,16,100} <= 1.1 x probe:avx2/f32/nnz=$nnz   # a probe that lacks a row
Accumulate/weights={i32,i64}/f=64/kernel=avx2/nnz=100 <= 1/1.5 x Accumulate/weights=f32/f=64/kernel=$kernel/nnz=$nnz
Accumulate/weights=f32/f=64/kernel=generic/nnz=100 <= 9.99 ns/nnz
Accumulate/weights=f32/f=64/kernel=avx2/nnz=100 <= 2 x Accumulate/weights=i64/f=64/kernel=avx2/nnz=100
Sketch/hash=xxh64/weights=f32/f=64/kernel=avx2/nnz=100 <= Accumulate/weights=f32/f=64/kernel=avx2/nnz=100 + Hash/hash=xxh64/encoding=le64/kernel=avx2/n=1024 + 8 ns/sketch
HammingScan/layout={plain,split}/f=64/k=3/kernel=avx2/n=10000 >= 0.5 x MemoryRead/n=$n
HammingScan/layout=plain/f=64/k=3/kernel=avx2/n=10000 >= 40 GB/s
MemoryRead/n=10000 >= 0.95 x probe:avx2/f32/nnz=100
MemoryRead/n=100000000 >= 1 GB/s
Build/index=blocks/n=1 bytes/entry <= 48 bytes/entry
Build/index=manku10/n=1 bytes/entry <= 2.5 x Build/index=blocks/n=1
Build/index=manku10/n=1 <= 2.5 x Build/index=blocks/n=1
Build/index=manku10/n=1 <= 199 ms/op
`

func exampleResults(t *testing.T) []Result {
	t.Helper()
	bars, err := Parse(strings.NewReader(exampleBars), "some/where/example.txt", units)
	if err != nil {
		t.Fatal(err)
	}
	var p Probes
	if err := p.ReadProbe(strings.NewReader("probe/avx2/f32/nnz=100 1.9\nprobe/avx2/f32/nnz=16 2\n"), "p"); err != nil {
		t.Fatal(err)
	}
	return Judge(bars, exampleRows(), p)
}

func TestJudge(t *testing.T) {
	var got []string
	for _, r := range exampleResults(t) {
		got = append(got, r.Bar.Case.String()+" "+[]string{"met", "missed", "not measured", "not run"}[r.Verdict]+map[bool]string{true: ", close"}[r.Close])
	}
	want := []string{
		"Accumulate/weights=f32/f=64/kernel=avx2/nnz=8 not measured",
		"Accumulate/weights=f32/f=64/kernel=avx2/nnz=16 not run",
		"Accumulate/weights=f32/f=64/kernel=avx2/nnz=100 met",
		"Accumulate/weights=i32/f=64/kernel=avx2/nnz=100 missed",
		"Accumulate/weights=i64/f=64/kernel=avx2/nnz=100 not measured",
		"Accumulate/weights=f32/f=64/kernel=generic/nnz=100 missed, close",
		"Accumulate/weights=f32/f=64/kernel=avx2/nnz=100 not measured",
		// 3.07 of 2 + 1 + 0.08, the hash at the tier below
		"Sketch/hash=xxh64/weights=f32/f=64/kernel=avx2/nnz=100 met, close",
		"HammingScan/layout=plain/f=64/k=3/kernel=avx2/n=10000 missed",
		"HammingScan/layout=split/f=64/k=3/kernel=avx2/n=10000 met",
		"HammingScan/layout=plain/f=64/k=3/kernel=avx2/n=10000 met",
		"MemoryRead/n=10000 not measured", // nanoseconds are no bar for it
		"MemoryRead/n=100000000 not run",
		"Build/index=blocks/n=1 missed",
		"Build/index=manku10/n=1 met", // 2.5 times the memory, and not the time
		"Build/index=manku10/n=1 met",
		"Build/index=manku10/n=1 missed, close",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
}

func TestLimitItselfIsMet(t *testing.T) {
	for _, line := range []string{"Accumulate/weights=f32/f=64/kernel=avx2/nnz=100 <= 2 ns/nnz\n", "MemoryRead/n=10000 >= 100 GB/s\n"} {
		bars, err := Parse(strings.NewReader(line), "f", units)
		if err != nil {
			t.Fatal(err)
		}
		if r := Judge(bars, exampleRows(), Probes{})[0]; r.Verdict != Met || r.Ratio() != 1 {
			t.Errorf("%s: verdict %d, ratio %v", line, r.Verdict, r.Ratio())
		}
	}
}

func TestWriteGolden(t *testing.T) {
	var got bytes.Buffer
	count, err := Write(&got, exampleResults(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[Verdict]int{Met: 6, Missed: 5, NotMeasured: 4, NotRun: 2}, count); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	const golden = "testdata/bars.golden"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("table (-want +got); go test -update writes it anew:\n%s", diff)
	}
}

func TestWriteError(t *testing.T) {
	full := errors.New("disk full")
	r, w := io.Pipe()
	r.CloseWithError(full)
	if _, err := Write(w, exampleResults(t)); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}
