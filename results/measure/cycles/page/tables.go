package page

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/results/measure/evidence"
)

// loops and calls choose the figures of loops, and those of whole calls of 100 features.
var (
	loops = choice{key: "n", value: "loop"}
	calls = choice{key: "nnz", value: "100"}
)

// choice is the figures of which one key has that value.
type choice struct{ key, value string }

// shown returns the table of a result file below root.
func (c choice) shown(root, file string) (string, error) {
	f, err := os.Open(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return "", err
	}
	defer f.Close()
	results, err := resultfile.Read(f, file)
	if err != nil {
		return "", err
	}
	return c.table(results)
}

// table has a line for each op and kernel, a column for each processor, and behind the generic form
// how many times as fast the other one is.
func (c choice) table(results resultfile.File) (string, error) {
	var processors, lines []string
	cells := map[[2]string]float64{} // by line and processor
	for _, r := range resultfile.Summarize(results.Rows) {
		if r.Name.Base != evidence.Cycles || r.Name.Get(c.key) != c.value {
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
		return "", fmt.Errorf("there is no figure of %s=%s", c.key, c.value)
	}
	slices.SortStableFunc(lines, func(a, b string) int { return place(a) - place(b) })
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

// ops in the order of the table; hashes stand below, as in their file.
var ops = []string{"unit", "f32", "i32", "i64", "f64", "scan", "split"}

func place(line string) int {
	if i := slices.Index(ops, opOf(line)); i >= 0 {
		return i
	}
	return len(ops)
}

func lineOf(n benchname.Name) string { return n.Get("op") + " `" + n.Get("kernel") + "`" }

func opOf(line string) string { op, _, _ := strings.Cut(line, " "); return op }
