// Package comparisons holds the comparisons that measure how often fphash ab is wrong, and their
// files: results/<cpu>/<date>/ab-*.txt.
package comparisons

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/wholefile"
)

// File is a measurement: lines "# name: value" at the head, the settings first, and then records as
// JSON, a line each.
type File struct {
	Settings []resultfile.Field // what all records of a file must have in common
	Head     []resultfile.Field // what else there is to know
	Records  []Record
}

// Settings are the names of File.Settings, in order.
var Settings = []string{"kind", "extra", "budget", "benchmarks", "seed", "busy", "cpu"}

// Setting returns the value of a setting, or "".
func (f File) Setting(name string) string {
	if i := slices.IndexFunc(f.Settings, func(s resultfile.Field) bool { return s.Name == name }); i >= 0 {
		return f.Settings[i].Value
	}
	return ""
}

// Write writes the file.
func (f File) Write(path string) error {
	return wholefile.Write(path, func(w io.Writer) error {
		for _, h := range slices.Concat(f.Settings, f.Head) {
			if _, err := fmt.Fprintf(w, "# %s: %s\n", h.Name, h.Value); err != nil {
				return err
			}
		}
		lines := json.NewEncoder(w)
		lines.SetEscapeHTML(false)
		for _, r := range f.Records {
			if err := lines.Encode(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// Read reads a file that Write has written.
func Read(path string) (File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return File{}, err
	}
	var f File
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if head, ok := strings.CutPrefix(string(line), "# "); ok {
			name, value, _ := strings.Cut(strings.TrimRight(head, "\n"), ": ")
			if slices.Contains(Settings, name) {
				f.Settings = append(f.Settings, resultfile.Field{Name: name, Value: value})
			} else {
				f.Head = append(f.Head, resultfile.Field{Name: name, Value: value})
			}
			continue
		}
		var r Record
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&r); err != nil {
			return File{}, fmt.Errorf("comparisons: %s:%d: expected a comparison: %w", path, number, err)
		}
		if r.Index != len(f.Records) {
			return File{}, fmt.Errorf("comparisons: %s:%d: comparison %d, expected %d", path, number, r.Index, len(f.Records))
		}
		f.Records = append(f.Records, r)
	}
	if len(f.Settings) != len(Settings) {
		return File{}, fmt.Errorf("comparisons: %s: expected a file with %d settings at its head, by this program", path, len(Settings))
	}
	return f, nil
}

// Resume returns the file at path, if there is one with the settings of f and comparisons of these
// benchmarks in turn, or else f.
func (f File) Resume(path string, benchmarks []string) (File, error) {
	old, err := Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return File{}, err
	}
	for _, s := range f.Settings {
		if value := old.Setting(s.Name); value != s.Value {
			return File{}, fmt.Errorf("comparisons: %s was measured with %s %q, and this is %q; expected another file, or the same settings", path, s.Name, value, s.Value)
		}
	}
	for _, r := range old.Records {
		if want := benchmarks[r.Index%len(benchmarks)]; r.Benchmark != want {
			return File{}, fmt.Errorf("comparisons: %s: comparison %d is of %s, expected %s: the benchmarks of the kit have changed since", path, r.Index, r.Benchmark, want)
		}
	}
	return old, nil
}
