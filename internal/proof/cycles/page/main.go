// Command page writes the tables of results/arm64.md anew: what stands there between marks shows
// the result file of command cycles that the marks name. From the root of simhashkit:
//
//	go run ./internal/proof/cycles/page
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/internal/proof/pages"
)

const name = "results/arm64.md"

func main() {
	pages.Main(filepath.FromSlash(name), blocks)
}

var blocks = []pages.Block{
	{Name: "loops", Write: shown("n", "loop")},
	{Name: "calls", Write: shown("nnz", "100")},
	{Name: "hashes", Write: shown("n", "loop")},
	{Name: "loops beside pospop", Write: shown("n", "loop")},
	{Name: "calls beside pospop", Write: shown("nnz", "100")},
}

// shown makes a block of the figures of which one key has that value.
func shown(key, value string) func(root, file string) (string, error) {
	return func(root, file string) (string, error) {
		f, err := os.Open(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return "", err
		}
		defer f.Close()
		results, err := resultfile.Read(f, file)
		if err != nil {
			return "", err
		}
		return table(results, key, value)
	}
}

// table has a line for each op and kernel, a column for each processor, and behind the generic form
// how many times as fast the other one is.
func table(results resultfile.File, key, value string) (string, error) {
	var processors, lines []string
	cells := map[[2]string]float64{} // by line and processor
	for _, r := range resultfile.Summarize(results.Rows) {
		if r.Name.Base != terms.Cycles || r.Name.Get(key) != value {
			continue
		}
		line, processor := lineOf(r.Name), r.Name.Get("processor")
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
		if !slices.Contains(processors, processor) {
			processors = append(processors, processor)
		}
		cells[[2]string{line, processor}] = r.Median
	}
	if len(lines) == 0 {
		return "", fmt.Errorf("there is no figure of %s=%s", key, value)
	}
	slices.SortStableFunc(lines, func(a, b string) int { return slices.Index(ops, opOf(a)) - slices.Index(ops, opOf(b)) })
	var out strings.Builder
	fmt.Fprintf(&out, "| cycles | %s |\n| --- |%s\n", strings.Join(processors, " | "), strings.Repeat(" ---: |", len(processors)))
	for _, line := range lines {
		fmt.Fprintf(&out, "| %s |", line)
		for _, processor := range processors {
			cycles := cells[[2]string{line, processor}]
			if cycles < 1000 {
				fmt.Fprintf(&out, " %.3g", cycles)
			} else {
				fmt.Fprintf(&out, " %.0f", cycles)
			}
			if generic := cells[[2]string{opOf(line) + " `generic`", processor}]; generic != 0 && generic != cycles {
				fmt.Fprintf(&out, " (%.1f×)", generic/cycles)
			}
			out.WriteString(" |")
		}
		out.WriteString("\n")
	}
	return out.String(), nil
}

// ops in the order of the table; hashes stand as in their file.
var ops = []string{"unit", "f32", "i32", "i64", "f64", "scan", "split"}

func lineOf(n benchname.Name) string { return n.Get("op") + " `" + n.Get("kernel") + "`" }

func opOf(line string) string { op, _, _ := strings.Cut(line, " "); return op }
