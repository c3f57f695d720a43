package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/proof/pages"
)

const root = "../../.."

// The figures in README are those of the files that it names, and nothing else is replaced.
func TestReadmeShowsTheFiledResults(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	want := string(text)
	stale := strings.NewReplacer("| `avx2` |", "| `avx3` |", " alarms in ", " errors in ").Replace(want)
	if got, err := pages.Updated(root, stale, blocks); err != nil || got != want || stale == want {
		t.Fatalf("README.md does not show what stands in the files that it names; run go run ./internal/proof/readme: %v", err)
	}
	for _, part := range []string{"<!-- end of rates -->", "<!-- end of tables -->", "/bench.txt -->"} {
		if _, err := pages.Updated(root, strings.Replace(want, part, "", 1), blocks); err == nil {
			t.Errorf("README without %s: no error", part)
		}
	}
}

// row has a figure of one sample.
func row(name string, value float64, unit string) resultfile.Row {
	return resultfile.Row{Name: name, Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}}
}

// cell is one of a hash: its effective bits at all angles and near cosine 1.
func cell(hash, encoding, vectors string, bits, near, verdict float64) []resultfile.Row {
	name := fmt.Sprintf("Quality/hash=%s/encoding=%s/%s", hash, encoding, vectors)
	return []resultfile.Row{row(name, bits, "effective-bits"), row(name, near, "effective-bits-cos90"), row(name, verdict, "verdict")}
}

// What README says of hashes is the least of all patterns and of both bands, from the file of all
// patterns, and the cheapest hash stands first.
func TestReadmeTableOfHashes(t *testing.T) {
	times := resultfile.File{Head: []resultfile.Field{{Name: "date", Value: "2026-01-02T03:04:05Z"}, {Name: "go", Value: "go1.26"}, {Name: "command", Value: "fphash bench --out=x"}},
		Config: []resultfile.Field{{Name: "cpu", Value: "Example"}}}
	for hash, ns := range map[string]float64{"xxh64": 2, "dear": 8.99, "cheap": 0.999} {
		times.Rows = append(times.Rows, row("Sketch/hash="+hash+"/weights=f32/f=64/kernel=avx512gfni/data=go-source/nnz=mixed", ns, "ns/nnz"))
	}
	for form, ns := range map[string]float64{"xxh64/encoding=le64/kernel=generic": 1.75, "xxh64/encoding=le64/kernel=avx2": 0.5, "dear/encoding=le64/kernel=library": 7} {
		times.Rows = append(times.Rows, row("Hash/hash="+form+"/n=1024", ns, "ns/key"))
	}
	times.Rows = append(times.Rows, cell("xxh64", "le64", "pattern=consecutive/weights=unit/f=64", 63, 64, 1)...)
	var all resultfile.File
	for _, list := range [][]resultfile.Row{
		cell("xxh64", "le64", "pattern=consecutive/weights=unit/f=64", 63, 64, 1), cell("xxh64", "le64", "pattern=pow2/weights=unit/f=64", 62, 61.5, 1),
		cell("xxh64", "le64", "pattern=pow2/weights=unit/f=32", 31, 30, 1), cell("dear", "dec", "pattern=pow2/weights=unit/f=32", 8.25, 9, -1),
	} {
		all.Rows = append(all.Rows, list...)
	}
	got, err := tablesOf(times, "results/bench.txt", qualitySource{"results/quality.txt", all})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| effective bits of 64, worst of all patterns and bands: `le64` |",
		"| `cheap` | – | – | – | 0.999 | no kernel | – | – | – |\n| `xxh64` (the default) | – | 1.75 | 0.500 | 2.00 | `avx2` | 61.5 | – | – |\n| `dear` | 7.00 | – | – | 8.99 | no kernel | – | – | 8.2 of 32 |\n",
		"from [quality.txt](results/quality.txt): the least of up to 2 cases",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if got, err := tablesOf(times, "results/bench.txt", qualitySource{"", times}); err != nil || !strings.Contains(got, "from the same file: the least of up to 1 cases") || !strings.Contains(got, "| 63.0 |") {
		t.Error(got)
	}
}
