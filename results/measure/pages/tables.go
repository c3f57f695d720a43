package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
)

// speed is the table of whole sketches by the public API.
func speed(root, source string) (string, error) {
	f, err := resultsIn(root, source)
	if err != nil {
		return "", err
	}
	of, err := measuredBy(f, source)
	if err != nil {
		return "", err
	}
	return of + "\n" + times(resultfile.Summarize(f.Rows)).sketches(), nil
}

// hashTable is the table of hashes, from a result file and from the newest quality.txt of the same
// processor, which has all patterns: its figures are exact, so they need not be of the same day.
func hashTable(root, source string) (string, error) {
	results, err := resultsIn(root, source)
	if err != nil {
		return "", err
	}
	qualities := qualitySource{"", results}
	if name, err := newest(root, source, "quality.txt"); err == nil && name != source {
		all, err := resultsIn(root, name)
		if err != nil {
			return "", err
		}
		qualities = qualitySource{name, all}
	}
	return hashesOf(results, source, qualities)
}

// newest returns the newest file of a name for the processor of a result file.
func newest(root, source, name string) (string, error) {
	processor := path.Dir(path.Dir(source))
	found, err := filepath.Glob(filepath.Join(root, processor, "*", name))
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("there is no %s in %s", name, processor)
	}
	if err != nil {
		return "", err
	}
	date := filepath.Base(filepath.Dir(slices.Max(found))) // names of folders are dates
	return path.Join(processor, date, name), nil
}

func hashesOf(results resultfile.File, source string, qualities qualitySource) (string, error) {
	of, err := measuredBy(results, source)
	if err != nil {
		return "", err
	}
	return of + "\n" + times(resultfile.Summarize(results.Rows)).hashes(qualities), nil
}

func resultsIn(root, path string) (resultfile.File, error) {
	f, err := os.Open(filepath.Join(root, path))
	if err != nil {
		return resultfile.File{}, err
	}
	defer f.Close()
	return resultfile.Read(f, path)
}

// measuredBy says what a file's figures are and how they were measured.
func measuredBy(f resultfile.File, source string) (string, error) {
	var missing []error
	head := func(fields []resultfile.Field, name string) string {
		i := slices.IndexFunc(fields, func(f resultfile.Field) bool { return f.Name == name })
		if i < 0 {
			missing = append(missing, fmt.Errorf("%s does not say its %s", source, name))
			return ""
		}
		return fields[i].Value
	}
	date, _, _ := strings.Cut(head(f.Head, "date"), "T")
	command, _, _ := strings.Cut(head(f.Head, "command"), " --out")
	return fmt.Sprintf("Medians on one core of %s, %s, %s, by `%s` ([raw samples](%s)).\n",
		head(f.Config, "cpu"), head(f.Head, "go"), date, command, source), errors.Join(missing...)
}

// times are summed-up rows of a result file.
type times []resultfile.Summary

// median returns that of the first of these kernels that there is, or a dash.
func (t times) median(kernels []string, base string, keysAndValues ...string) string {
	for _, kernel := range kernels {
		for _, row := range t {
			if row.Name.Base == base && row.Err == "" && matches(row.Name, append(keysAndValues, "kernel", kernel)) {
				return digits(row.Median)
			}
		}
	}
	return "–"
}

// sketches is the table of what a feature takes from its index to the fingerprint.
func (t times) sketches() string {
	out := line("ns per feature, 64 bits, xxh64", "unit weights, 32 features", "100", "1000", "f32, 32", "100", "1000") +
		rule(7)
	for _, kernel := range []string{"naive", "generic", "avx2", "avx512", "avx512gfni"} {
		name := "`" + kernel + "`"
		if kernel == "naive" {
			name = "the loop that everyone copies"
		}
		cells := []string{name}
		for _, weights := range []string{"unit", "f32"} {
			for _, nnz := range []string{"32", "100", "1000"} {
				cells = append(cells, t.median([]string{kernel}, terms.Sketch, "hash", fphash.DefaultHash, "weights", weights, "f", "64", "nnz", nnz))
			}
		}
		if slices.ContainsFunc(cells[1:], func(cell string) bool { return cell != "–" }) {
			out += line(cells...)
		}
	}
	return out
}

// line is a row of a table in Markdown, and rule what stands below the first: the first column is
// of words, the others are of figures.
func line(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

func rule(columns int) string {
	return line(append([]string{"---"}, slices.Repeat([]string{"---:"}, columns-1)...)...)
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
