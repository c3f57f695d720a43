package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const probeText = `probe/avx2/f32/nnz=100 2.8341
clock by dependent add chain: 14.967 GHz
bit-exact check over 200x1024 keys: ok
memcpy 8KB                   min 0.0428  median 0.0448 ns/key   0.670 cycles/key
xxh64-8B AVX-512             min 0.6006  median 0.6447 ns/key   9.649 cycles/key
N=10000 (0.1 MB), planted hits (1 at 1e4, else 10) all found by all variants
  read limit AVX-512 OR                1T: med       0.6 us  132.5 GB/s  best   136.7 GB/s (0.0585 ns/fp) | 2T: med  226.2 best  524.0 GB/s
N=1000000 (8.0 MB), planted hits (1 at 1e4, else 10) all found by all variants
  AVX2 x&(x-1)^3 (k=3 only)            1T: med     438.2 us   18.3 GB/s  best   26.2 GB/s (0.3050 ns/fp) | 2T: med   17.5 best   53.9 GB/s
4x16 N=1000000 pairs 10000 0.050 s
10 tables N=1000000 pairs 10000 0.120 s
partitioned N=1000000 pairs 10000 0.060 s (first pass 0.020, second 0.010) 7f
partitioned N=1000000 pairs 10000 0.080 s (first pass 0.020, second 0.010) 7f
4x16 N=1000000 pairs 10000 0.052 s
partitioned N=1000000 pairs 10000 0.070 s (first pass 0.020, second 0.010) 7f
N=10240 read roof  hits 0 median 0.6 us  134 GB/s-equiv  1.00 x roof  (p10 0.6 p90 0.7)
`

func TestReadProbe(t *testing.T) {
	var p Probes
	for _, text := range []string{probeText, "probe/avx2/f32/nnz=100 4\n", "probe/avx2/f32/nnz=100 3.5\r\n"} {
		if err := p.ReadProbe(strings.NewReader(text), "p.txt"); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]float64{}
	for name, row := range p.rows {
		got[name] = row.median()
		if row.rate != (strings.HasPrefix(name, "scan/") || strings.HasPrefix(name, "split/")) {
			t.Errorf("%s: rate=%v", name, row.rate)
		}
	}
	want := map[string]float64{
		"avx2/f32/nnz=100": 3.5, // the median of three files
		"hash/memcpy-8kb":  0.0448, "hash/xxh64-8b-avx-512": 0.6447,
		"scan/read-limit-avx-512-or/n=10000": 132_500, "scan/avx2-x-x-1-3-k-3-only/n=1000000": 18_300, "split/read-roof/n=10240": 134_000,
		"join/4x16/n=1000000": 51e6, "join/10-tables/n=1000000": 120e6, "join/partitioned/n=1000000": 65e6, "join/partitioned-2/n=1000000": 80e6,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if even := (&probe{values: []float64{4, 1, 2, 9}}).median(); even != 3 {
		t.Errorf("median of an even number of values %v, want 3", even)
	}
}

func TestProbeErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "p.txt: expected the output of a probe",
		"hello\n":                         "p.txt: expected the output of a probe",
		"\nprobe/a/nnz=1 x\n":             `p.txt:2:15: expected a number above 0, got "x"`,
		"probe/a 0\n":                     `p.txt:1:9: expected a number above 0, got "0"`,
		"probe/a NaN\n":                   `p.txt:1:9: expected a number above 0, got "NaN"`,
		"probe/a inf\n":                   `p.txt:1:9: expected a number above 0, got "inf"`,
		"probe/a 0.5  WRONG\n":            `p.txt:1:14: expected the end of the line, got "WRONG"`,
		"xxh64  min 1  median y ns/key\n": `p.txt:1:22: expected a number above 0, got "y"`,
		"4x16 N=9 pairs 0 0.000 s\n":      `p.txt:1:18: expected a number above 0, got "0.000"`,
	} {
		var p Probes
		if err := p.ReadProbe(strings.NewReader(text), "p.txt"); err == nil || !strings.HasPrefix(err.Error(), "bars: "+want) {
			t.Errorf("%q: error %v, want bars: %s", text, err, want)
		}
	}
	var p Probes
	if err := p.ReadProbe(strings.NewReader("probe/"+strings.Repeat("x", 1<<20)), "p.txt"); err == nil {
		t.Error("a line without end is accepted")
	}
}
