package table

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simhashkit/bench/advice"
	"simhashkit/bench/benchname"
	"simhashkit/bench/resultfile"
	"simhashkit/bench/summary"
)

var updateReadme = flag.Bool("update-readme", false, "write the tables of README.md from the result file that it names")

const root = "../.."

var block = regexp.MustCompile(`(?s)(<!-- tables from (\S+) -->\n).*?(<!-- end of tables -->)`)

// The figures in README are those of the result file that it names: go test ./bench/table -run Readme -update-readme writes them.
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
	f, err := os.Open(filepath.Join(root, source))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	results, err := resultfile.Read(f, source)
	if err != nil {
		t.Fatal(err)
	}
	want := block.ReplaceAllLiteralString(string(text), string(m[1])+readmeTables(t, results, source)+string(m[3]))
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

func readmeTables(t *testing.T, f resultfile.File, source string) string {
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

	lines := summary.Rows(f.Rows)
	// median returns that of the first of these kernels that there is.
	median := func(kernels []string, base string, keysAndValues ...string) string {
		for _, kernel := range kernels {
			for _, l := range lines {
				if l.Name.Base == base && l.Err == "" && matches(l.Name, append(keysAndValues, "kernel", kernel)) {
					return digits(l.Summary.Center)
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
	choices := advice.Choices(lines, func(benchname.Name) bool { return true })
	if len(choices) > 0 {
		header = append(header, "effective bits in the worst case measured: `le64`", "`be64`", "`dec`")
	}
	row(header...)
	row(append([]string{"---"}, slices.Repeat([]string{"---:"}, len(header)-1)...)...)
	for _, l := range lines {
		if l.Name.Base != "Sketch" || !matches(l.Name, []string{"weights", "f32", "kernel", "avx512gfni", "data", "go-source"}) {
			continue
		}
		hash := l.Name.Get("hash")
		cells := []string{"`" + hash + "`", median([]string{"library"}, "Hash", "hash", hash), median([]string{"generic"}, "Hash", "hash", hash),
			median([]string{"avx512gfni", "avx512", "avx2"}, "Hash", "hash", hash), digits(l.Summary.Center)}
		if len(choices) > 0 {
			cells = append(cells, worstBits(choices, hash, "le64"), worstBits(choices, hash, "be64"), worstBits(choices, hash, "dec"))
		}
		row(cells...)
	}
	out.WriteString("\n")
	return out.String()
}

// worstBits is the smaller figure of the worst cell, a dash where there is none.
func worstBits(choices []*advice.Choice, hash, encoding string) string {
	i := slices.IndexFunc(choices, func(c *advice.Choice) bool { return c.Hash == hash && c.Encoding == encoding })
	if i < 0 || math.IsInf(choices[i].Worst().Least(), 0) {
		return "–"
	}
	bits := advice.Bits(choices[i].Worst().Least())
	if choices[i].Bits != 64 {
		bits += fmt.Sprintf(" of %d", choices[i].Bits)
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
