package table

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
)

var updateReadme = flag.Bool("update-readme", false, "write the tables of README.md from the result file that it names")

const root = "../.."

var block = regexp.MustCompile(`(?s)(<!-- tables from (\S+) -->\n).*?(<!-- end of tables -->)`)

// The figures in README are those of the result file that it names: go test ./bench/table -run
// Readme -update-readme writes them.
func TestReadmeShowsTheFiledResults(t *testing.T) {
	readme := filepath.Join(root, "README.md")
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	m := block.FindSubmatch(text)
	if m == nil {
		t.Fatal("README.md has no block of tables")
	}
	source := string(m[2])
	results, _ := resultsIn(t, source)
	qualities := qualitySource{"", results}
	if path := filepath.ToSlash(filepath.Join(filepath.Dir(source), "quality.txt")); path != source {
		if all, ok := resultsIn(t, path); ok { // which has all patterns
			qualities = qualitySource{path, all}
		}
	}
	want := block.ReplaceAllLiteralString(string(text), string(m[1])+readmeTables(t, results, source, qualities)+string(m[3]))
	if string(text) == want {
		return
	}
	if !*updateReadme {
		t.Fatalf("README.md does not show what stands in %s; run go test ./bench/table -run Readme -update-readme", source)
	}
	if err := os.WriteFile(readme, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// resultsIn reads a result file; only quality.txt may be missing.
func resultsIn(t *testing.T, path string) (resultfile.File, bool) {
	t.Helper()
	f, err := os.Open(filepath.Join(root, path))
	if errors.Is(err, fs.ErrNotExist) && filepath.Base(path) == "quality.txt" {
		return resultfile.File{}, false
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	results, err := resultfile.Read(f, path)
	if err != nil {
		t.Fatal(err)
	}
	return results, true
}

// qualitySource is the file whose rows of quality are shown; its name is "" where it is that of the
// times.
type qualitySource struct {
	name string
	resultfile.File
}

func readmeTables(t *testing.T, f resultfile.File, source string, qualities qualitySource) string {
	var out strings.Builder
	head := func(fields []resultfile.Field, name string) string {
		i := slices.IndexFunc(fields, func(f resultfile.Field) bool { return f.Name == name })
		if i < 0 {
			t.Fatalf("%s does not say its %s", source, name)
		}
		return fields[i].Value
	}
	date, _, _ := strings.Cut(head(f.Head, "date"), "T")
	fmt.Fprintf(&out, "Medians on one core of %s, %s, %s, by `%s`; raw samples in [%s](%s).\n\n",
		head(f.Config, "cpu"), head(f.Head, "go"), date, strings.Split(head(f.Head, "command"), " --out")[0], filepath.Dir(source), source)

	lines := resultfile.Summarize(f.Rows)
	// median returns that of the first of these kernels that there is.
	median := func(kernels []string, base string, keysAndValues ...string) string {
		for _, kernel := range kernels {
			for _, l := range lines {
				if l.Name.Base == base && l.Err == "" && matches(l.Name, append(keysAndValues, "kernel", kernel)) {
					return digits(l.Median)
				}
			}
		}
		return "–"
	}
	row := func(cells ...string) { fmt.Fprintf(&out, "| %s |\n", strings.Join(cells, " | ")) }

	row("ns per feature, f = 64", "unit, nnz 32", "100", "1000", "f32, nnz 32", "100", "1000")
	row("---", "---:", "---:", "---:", "---:", "---:", "---:")
	for _, kernel := range []string{"naive", "generic", "avx2", "avx512", "avx512gfni"} {
		cells := []string{map[string]string{"naive": "the loop that everyone copies"}[kernel]}
		if cells[0] == "" {
			cells[0] = "`" + kernel + "`"
		}
		for _, weights := range []string{"unit", "f32"} {
			for _, nnz := range []string{"32", "100", "1000"} {
				cells = append(cells, median([]string{kernel}, "Accumulate", "weights", weights, "f", "64", "nnz", nnz))
			}
		}
		row(cells...)
	}
	out.WriteString("\n")
	header := []string{"hash", "ns per key: library, one by one", "`generic`", "best kernel", "ns per feature of a whole sketch: source files, f32"}
	choices := advice.Choices(oneRun(qualities.Rows, nil), func(advice.Case) bool { return true })
	if len(choices) > 0 {
		header = append(header, "effective bits of 64, worst of all patterns and bands: `le64`", "`be64`", "`dec`")
	}
	row(header...)
	row(append([]string{"---"}, slices.Repeat([]string{"---:"}, len(header)-1)...)...)
	for _, l := range cheapestFirst(lines) {
		hash := l.Name.Get("hash")
		name := "`" + hash + "`"
		if hash == fphash.DefaultHash {
			name += " (the default)"
		}
		cells := []string{name, median([]string{"library"}, "Hash", "hash", hash), median([]string{"generic"}, "Hash", "hash", hash),
			median([]string{"avx512gfni", "avx512", "avx2"}, "Hash", "hash", hash), digits(l.Median)}
		if len(choices) > 0 {
			cells = append(cells, worstBits(choices, hash, "le64"), worstBits(choices, hash, "be64"), worstBits(choices, hash, "dec"))
		}
		row(cells...)
	}
	out.WriteString("\n")
	if len(choices) > 0 {
		most := slices.MaxFunc(choices, func(a, b *advice.Choice) int { return len(a.Cases) - len(b.Cases) })
		from := "the same file"
		if qualities.name != "" {
			from = fmt.Sprintf("[%s](%s)", filepath.Base(qualities.name), qualities.name)
		}
		fmt.Fprintf(&out, "The cheapest sketch stands first. Effective bits are from %s: the least of up to %d cases (a pattern of indices with a kind of weights) and of both bands (all angles, cosine 0.9 and above).\n\n",
			from, len(most.Cases))
	}
	return out.String()
}

// cheapestFirst returns the rows of whole sketches that the table of hashes has a line for.
func cheapestFirst(lines []line) []line {
	list := slices.DeleteFunc(slices.Clone(lines), func(l line) bool {
		return l.Name.Base != terms.Sketch || l.Err != "" || !matches(l.Name, []string{"weights", "f32", "kernel", "avx512gfni", "data", "go-source"})
	})
	slices.SortStableFunc(list, func(a, b line) int { return cmp.Compare(a.Median, b.Median) })
	return list
}

// worstBits is the least figure of all cells and both bands at 64 bits, or at the width that the
// hash has; a dash where there is none.
func worstBits(choices []*advice.Choice, hash, encoding string) string {
	var found *advice.Choice
	for _, c := range choices {
		if c.Hash == hash && c.Encoding == encoding && (found == nil || c.Bits == 64) {
			found = c
		}
	}
	if found == nil {
		return "–"
	}
	fewest, ok := found.Fewest()
	if !ok {
		return "–"
	}
	least, _ := fewest.Worse()
	bits := advice.Bits(least.Median)
	if found.Bits != 64 {
		bits += fmt.Sprintf(" of %d", found.Bits)
	}
	return bits
}

// digits shows three of them, and no more than three behind the point.
func digits(v float64) string {
	switch {
	case v >= 99.95:
		return fmt.Sprintf("%.0f", v)
	case v >= 9.995:
		return fmt.Sprintf("%.1f", v)
	case v >= 0.9995:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

func matches(n benchname.Name, keysAndValues []string) bool {
	for i := 0; i < len(keysAndValues); i += 2 {
		if n.Get(keysAndValues[i]) != keysAndValues[i+1] {
			return false
		}
	}
	return true
}

// What README says of hashes is the least of all patterns and of both bands, from the file of all
// patterns, and the cheapest hash stands first.
func TestReadmeTableOfHashes(t *testing.T) {
	times := resultfile.File{Head: []resultfile.Field{{Name: "date", Value: "2026-01-02T03:04:05Z"}, {Name: "go", Value: "go1.26"}, {Name: "command", Value: "fphash bench --out=x"}},
		Config: []resultfile.Field{{Name: "cpu", Value: "Example"}}}
	for hash, ns := range map[string]float64{"xxh64": 2, "dear": 9, "cheap": 1} {
		times.Rows = append(times.Rows, row("Sketch/hash="+hash+"/weights=f32/f=64/kernel=avx512gfni/data=go-source/nnz=mixed", "ns/nnz", ns))
	}
	times.Rows = append(times.Rows, cell("xxh64", "le64", "pattern=consecutive/weights=unit/f=64", 63, 64, 1)...)
	var all resultfile.File
	for _, list := range [][]resultfile.Row{
		cell("xxh64", "le64", "pattern=consecutive/weights=unit/f=64", 63, 64, 1), cell("xxh64", "le64", "pattern=pow2/weights=unit/f=64", 62, 61.5, 1),
		cell("xxh64", "le64", "pattern=pow2/weights=unit/f=32", 31, 30, 1), cell("dear", "dec", "pattern=pow2/weights=unit/f=32", 8.25, 9, -1),
	} {
		all.Rows = append(all.Rows, list...)
	}
	got := readmeTables(t, times, "results/bench.txt", qualitySource{"results/quality.txt", all})
	for _, want := range []string{
		"| effective bits of 64, worst of all patterns and bands: `le64` |",
		"| `cheap` | – | – | – | 0.999 | – | – | – |\n| `xxh64` (the default) | – | – | – | 2.00 | 61.5 | – | – |\n| `dear` | – | – | – | 8.99 | – | – | 8.2 of 32 |\n",
		"from [quality.txt](results/quality.txt): the least of up to 2 cases",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if got := readmeTables(t, times, "results/bench.txt", qualitySource{"", times}); !strings.Contains(got, "from the same file: the least of up to 1 cases") || !strings.Contains(got, "| 63.0 |") {
		t.Error(got)
	}
}
