package table

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/resultfile"
)

// A sketch stands beside the kernels that it uses, at its tier or below; batches on several cores
// and data sets have no such parts.
func TestLimits(t *testing.T) {
	rows := []resultfile.Row{
		row("Hash/hash=xxh64/encoding=le64/kernel=library/n=1024", "ns/key", 9),
		row("Hash/hash=xxh64/encoding=le64/kernel=generic/n=1024", "ns/key", 1),
		row("Accumulate/weights=unit/f=128/kernel=avx512/nnz=50", "ns/nnz", 0.5),
		row("Sketch/hash=xxh64/weights=unit/f=128/kernel=avx512gfni/nnz=50", "ns/nnz", 1.8),
		row("Sketch/hash=xxh64/weights=unit/f=128/kernel=avx512gfni/cpus=2/nnz=50", "ns/nnz", 0.9),
		row("Sketch/hash=xxh64/weights=unit/f=128/kernel=avx512gfni/encoding=be64/nnz=50", "ns/nnz", 2),
		row("Sketch/hash=xxh64/weights=unit/f=128/kernel=avx512gfni/data=go-source/nnz=mixed", "ns/nnz", 2),
		// no accumulation at its tier or below
		row("Sketch/hash=xxh64/weights=unit/f=128/kernel=avx2/nnz=50", "ns/nnz", 2),
		row("Sketch/hash=md5/weights=unit/f=128/kernel=avx512/nnz=50", "ns/nnz", 99),
		row("MemoryRead/n=1000000", "MB/s", 100_000),
	}
	for i := range rows { // exact figures
		for j := range rows[i].Samples {
			rows[i].Samples[j].Value = rows[i].Samples[4].Value
		}
	}
	var got []string
	for line := range strings.Lines(renderLimits(resultfile.Summarize(rows))) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] == "xxh64" {
			got = append(got, strings.Join(fields, " "))
		}
	}
	want := []string{"xxh64 unit 128 50 avx512gfni 1.000 0.500 0.080 1.800 120% 15.0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	if text := renderLimits(resultfile.Summarize(rows[:3])); text != "" {
		t.Errorf("limits without sketches: %q", text)
	}
}
