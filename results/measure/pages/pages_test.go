package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/results/measure/marks"
)

const root = "../../.."

// The figures on the pages are those of the files that they name: blocks that have been emptied are
// written as they stand there.
func TestPagesShowTheFiledResults(t *testing.T) {
	for _, w := range targets {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(w.page)))
		if err != nil {
			t.Fatal(err)
		}
		want, emptied := string(text), string(text)
		for _, b := range w.blocks {
			emptied = regexp.MustCompile("(?s)(<!-- "+b.Name+"(?: from \\S+)? -->\n).+?(<!-- end of "+b.Name+" -->)").ReplaceAllString(emptied, "$1$2")
		}
		if got, err := marks.Updated(root, emptied, w.blocks); err != nil || got != want || emptied == want {
			t.Errorf("%s does not show what stands in the files that it names; run go -C results run ./measure/pages: %v", w.page, err)
		}
	}
}

// measured matches a number with a unit of time, memory, speed or a share.
var measured = regexp.MustCompile(`[0-9](\.[0-9]+)? ?(%|×|(ns|µs|ms|s|seconds|minutes|KB|MB|GB)\b)`)

// Outside of its blocks and of what programs print, README has no measured figure that could become
// untrue unseen.
func TestReadmeHasNoOtherFigures(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	prose := regexp.MustCompile("(?ms)^```.*?^```$|^<!-- [a-z]+ from .*?<!-- end of [a-z]+ -->$").ReplaceAllString(string(text), "")
	if found := measured.FindString(prose); found != "" {
		t.Errorf("README says %q outside of a block that is written from a result file", found)
	}
	for _, lie := range []string{"finds 51% of them", "in 10 s on two cores", "0.9 GB"} {
		if !measured.MatchString(lie) {
			t.Errorf("%q passes for no figure", lie)
		}
	}
}

// Strangers within k of 64 bits, as METHODOLOGY has them.
func TestStrangers(t *testing.T) {
	for _, c := range []struct {
		k, unsure int
		want      float64
	}{{3, 0, 2.37e-15}, {5, 0, 4.5e-13}, {6, 0, 4.5e-12}, {3, 8, 4.0e-11}, {7, 0, 3.8e-11}} {
		if got := strangers(c.k, c.unsure); got < 0.97*c.want || got > 1.03*c.want {
			t.Errorf("k = %d, %d unsure bits: %.3g, want %.3g", c.k, c.unsure, got, c.want)
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
	got, err := hashesOf(times, "results/bench.txt", qualitySource{"results/quality.txt", all})
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
	if got, err := hashesOf(times, "results/bench.txt", qualitySource{"", times}); err != nil || !strings.Contains(got, "from the same file: the least of up to 1 cases") || !strings.Contains(got, "| 63.0 |") {
		t.Error(got)
	}
}
