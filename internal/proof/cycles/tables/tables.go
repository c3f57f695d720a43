// Package tables shows what command cycles has computed.
package tables

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// Loops and Calls choose the figures of loops, and those of whole calls of 100 features.
var (
	Loops = Choice{Key: "n", Value: "loop"}
	Calls = Choice{Key: "nnz", Value: "100"}
)

// Choice is the figures of which one key has that value.
type Choice struct {
	Key, Value string
	Kernel     string // the only one to show, if it is not ""
}

// Shown returns the table of a result file below root.
func (c Choice) Shown(root, file string) (string, error) { return c.ShownTogether(root, file) }

// ShownTogether returns the table of several result files.
func (c Choice) ShownTogether(root string, files ...string) (string, error) {
	var all resultfile.File
	for _, file := range files {
		f, err := os.Open(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return "", err
		}
		results, err := resultfile.Read(f, file)
		f.Close()
		if err != nil {
			return "", err
		}
		all.Rows = append(all.Rows, results.Rows...)
	}
	return c.table(all)
}

// table has a line for each op and kernel, a column for each processor, and behind the generic form
// how many times as fast the other one is.
func (c Choice) table(results resultfile.File) (string, error) {
	var processors, lines []string
	cells := map[[2]string]float64{} // by line and processor
	for _, r := range resultfile.Summarize(results.Rows) {
		if r.Name.Base != terms.Cycles || r.Name.Get(c.Key) != c.Value {
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
		return "", fmt.Errorf("there is no figure of %s=%s", c.Key, c.Value)
	}
	slices.SortStableFunc(lines, func(a, b string) int { return place(a) - place(b) })
	var out strings.Builder
	fmt.Fprintf(&out, "| cycles | %s |\n| --- |%s\n", strings.Join(processors, " | "), strings.Repeat(" ---: |", len(processors)))
	for _, line := range lines {
		if c.Kernel != "" && !strings.HasSuffix(line, " `"+c.Kernel+"`") {
			continue
		}
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
