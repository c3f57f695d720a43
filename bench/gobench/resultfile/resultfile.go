// Package resultfile reads and writes benchmark results in Go benchmark format, such that benchstat
// can compare any two of the files.
//
// benchstat shows results under one heading only if their plain "key: value" lines are equal. So
// those lines carry what two runs worth comparing have in common (goos, goarch, pkg, cpu), and what
// may differ (date, command, commit) stands at the head as "# name: value" lines, which benchstat
// skips. A case that gave a wrong answer has no figures, but a line "# error: NAME: what was
// wrong"; one that was left out on purpose has "# skipped: NAME: why".
//
// Rows of one name with a single sample each, as exact figures have, share a line if they stand
// side by side.
package resultfile

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// File is the content of a result file.
type File struct {
	Head   []Field // what may differ between runs that are compared
	Config []Field // what must be equal
	Rows   []Row
	Exact  []string // units whose figures have no noise: any difference between two runs is one
}

// Field is a line "name: value".
type Field struct{ Name, Value string }

// Row is one case with all its samples, in the order in which they were taken.
type Row struct {
	Name    string // without the word Benchmark
	Unit    string // of the samples' values: ns/key, ns/nnz, MB/s
	Samples []Sample
	Err     string // what was wrong with the answer; such a row has no samples
	Skipped string // why it was left out, which is nobody's fault; such a row has no samples either
}

// Sample is one measurement.
type Sample struct {
	Iterations int
	Value      float64
}

// Fields of the head that are about rows.
const (
	errorField   = "error"
	skippedField = "skipped"
)

// Write writes the file; values keep 8 digits.
func Write(w io.Writer, f File) error {
	var out bytes.Buffer
	for _, h := range f.Head {
		fmt.Fprintf(&out, "# %s: %s\n", h.Name, oneLine(h.Value))
	}
	for _, r := range f.Rows {
		if r.Err != "" {
			fmt.Fprintf(&out, "# %s: %s: %s\n", errorField, r.Name, oneLine(r.Err))
		}
		if r.Skipped != "" {
			fmt.Fprintf(&out, "# %s: %s: %s\n", skippedField, r.Name, oneLine(r.Skipped))
		}
	}
	results := benchfmt.NewWriter(&out)
	for _, line := range f.metadata() {
		if err := results.Write(line); err != nil {
			return fmt.Errorf("resultfile: %w", err)
		}
	}
	var config []benchfmt.Config
	for _, c := range f.Config {
		config = append(config, benchfmt.Config{Key: c.Name, Value: []byte(oneLine(c.Value)), File: true})
	}
	for _, line := range lines(f.Rows) {
		line.Config = config
		if err := results.Write(line); err != nil {
			return fmt.Errorf("resultfile: %w", err)
		}
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("resultfile: %w", err)
	}
	return nil
}

// Read reads what Write wrote, or several of it one after the other: a row then has the samples of
// all. Rows with errors come first; name stands in error messages.
func Read(r io.Reader, name string) (File, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return File{}, fmt.Errorf("resultfile: %s: %w", name, err)
	}
	var f File
	for line := range strings.Lines(string(text)) {
		field, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "# ")
		if !ok {
			continue
		}
		key, value, ok := strings.Cut(field, ": ")
		switch {
		case !ok:
		case key == errorField:
			name, message, _ := strings.Cut(value, ": ")
			f.addOnce(Row{Name: name, Err: message})
		case key == skippedField:
			name, message, _ := strings.Cut(value, ": ")
			f.addOnce(Row{Name: name, Skipped: message})
		default:
			f.Head = append(f.Head, Field{key, value})
		}
	}
	rows := map[string]int{}
	results := benchfmt.NewReader(bytes.NewReader(text), name)
	for results.Scan() {
		switch record := results.Result().(type) {
		case *benchfmt.SyntaxError:
			return File{}, fmt.Errorf("resultfile: %w", record)
		case *benchfmt.Result:
			f.add(record, rows)
		}
	}
	if err := results.Err(); err != nil {
		return File{}, fmt.Errorf("resultfile: %w", err)
	}
	for _, unit := range units(f.Rows) {
		if assume := results.Units().Get(unit, assumeKey); assume != nil && assume.Value == exactValue {
			f.Exact = append(f.Exact, unit)
		}
	}
	return f, nil
}

// addOnce adds a row without samples, unless another run of the file has said the same.
func (f *File) addOnce(row Row) {
	if !slices.ContainsFunc(f.Rows, func(r Row) bool { return r.Name == row.Name && r.Err == row.Err && r.Skipped == row.Skipped }) {
		f.Rows = append(f.Rows, row)
	}
}

// add adds a sample to its row, which rows finds by name.
func (f *File) add(record *benchfmt.Result, rows map[string]int) {
	if f.Config == nil {
		for _, c := range record.Config {
			if c.File {
				f.Config = append(f.Config, Field{c.Key, string(c.Value)})
			}
		}
	}
	for _, v := range record.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" {
			// ns/key, which the reader has turned into sec/key
			value, unit = v.OrigValue, v.OrigUnit
		}
		key := record.Name.String() + " " + unit
		i, ok := rows[key]
		if !ok {
			i = len(f.Rows)
			rows[key] = i
			f.Rows = append(f.Rows, Row{Name: record.Name.String(), Unit: unit})
		}
		f.Rows[i].Samples = append(f.Rows[i].Samples, Sample{record.Iters, value})
	}
}

// lines turns samples into lines, in order.
func lines(rows []Row) []*benchfmt.Result {
	var list []*benchfmt.Result
	former := "" // name of the last row if that had one sample
	for _, r := range rows {
		for _, s := range r.Samples {
			value := benchfmt.Value{Value: round8(s.Value), Unit: r.Unit}
			if last := len(list) - 1; len(r.Samples) == 1 && former == r.Name && list[last].Iters == s.Iterations {
				list[last].Values = append(list[last].Values, value)
				continue
			}
			list = append(list, &benchfmt.Result{Name: benchfmt.Name(r.Name), Iters: s.Iterations, Values: []benchfmt.Value{value}})
		}
		if former = ""; len(r.Samples) == 1 {
			former = r.Name
		}
	}
	return list
}

// units lists the units of the rows, each once, in order of appearance.
func units(rows []Row) []string {
	var list []string
	seen := map[string]bool{}
	for _, r := range rows {
		if len(r.Samples) > 0 && !seen[r.Unit] {
			seen[r.Unit] = true
			list = append(list, r.Unit)
		}
	}
	return list
}

// round8 rounds to 8 significant decimal digits: more than any measurement has, and no noise behind
// them.
func round8(v float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 8, 64), 64)
	if err != nil {
		return v // an infinity that rounding made; there is nothing better to say
	}
	return rounded
}

// oneLine keeps a value from breaking the format.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
