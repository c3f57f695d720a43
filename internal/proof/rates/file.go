package main

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

// file is a measurement: lines "# name: value" at the head, the settings first, and then records as
// JSON, a line each.
type file struct {
	Settings []resultfile.Field // what all records of a file must have in common
	Head     []resultfile.Field // what else there is to know
	Records  []record
}

// settings are the names of Settings, in order.
var settings = []string{"kind", "extra", "budget", "benchmarks", "seed", "busy", "cpu"}

func (f file) setting(name string) string {
	if i := slices.IndexFunc(f.Settings, func(s resultfile.Field) bool { return s.Name == name }); i >= 0 {
		return f.Settings[i].Value
	}
	return ""
}

func (f file) write(path string) error {
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

// readFile reads a file that write has written.
func readFile(path string) (file, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return file{}, err
	}
	var f file
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if head, ok := strings.CutPrefix(string(line), "# "); ok {
			name, value, _ := strings.Cut(strings.TrimRight(head, "\n"), ": ")
			if slices.Contains(settings, name) {
				f.Settings = append(f.Settings, resultfile.Field{Name: name, Value: value})
			} else {
				f.Head = append(f.Head, resultfile.Field{Name: name, Value: value})
			}
			continue
		}
		var r record
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&r); err != nil {
			return file{}, fmt.Errorf("%s:%d: expected a comparison: %w", path, number, err)
		}
		if r.Index != len(f.Records) {
			return file{}, fmt.Errorf("%s:%d: comparison %d, expected %d", path, number, r.Index, len(f.Records))
		}
		f.Records = append(f.Records, r)
	}
	if len(f.Settings) != len(settings) {
		return file{}, fmt.Errorf("%s: expected a file with %d settings at its head, by this program", path, len(settings))
	}
	return f, nil
}

// resume returns the file at path, if there is one with the settings of f, or else f.
func (f file) resume(path string, benchmarks []string) (file, error) {
	old, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return file{}, err
	}
	for _, s := range f.Settings {
		if value := old.setting(s.Name); value != s.Value {
			return file{}, fmt.Errorf("%s was measured with %s %q, and this is %q; expected another file, or the same settings", path, s.Name, value, s.Value)
		}
	}
	for _, r := range old.Records {
		if want := benchmarks[r.Index%len(benchmarks)]; r.Benchmark != want {
			return file{}, fmt.Errorf("%s: comparison %d is of %s, expected %s: the benchmarks of the kit have changed since", path, r.Index, r.Benchmark, want)
		}
	}
	return old, nil
}
