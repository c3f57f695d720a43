package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/perf/benchfmt"

	"simhashkit/datasets"
)

// ErrNoResults says that a file holds no benchmark results.
var ErrNoResults = errors.New("no benchmark results")

// Results is what a store has to know about a result file.
type Results struct {
	Head map[string]string // lines "# name: value" above the results: date, go, commit ...
	// lines "key: value" in force at the first result: goos, goarch, cpu ...
	Config     map[string]string
	Benchmarks map[string]int // samples by name
	Text       []byte         // the file, unpacked
}

// Samples is the number of all samples.
func (r Results) Samples() int {
	n := 0
	for _, samples := range r.Benchmarks {
		n += samples
	}
	return n
}

// ReadFile reads a result file, plain or compressed. The error is ErrNoResults, wrapped, if there
// is nothing in it; lines that do not parse are passed over.
func ReadFile(path string) (Results, error) {
	file, err := os.Open(path)
	if err != nil {
		return Results{}, fmt.Errorf("store: %w", err)
	}
	defer file.Close()
	unpacked, err := datasets.Decompress(file)
	if err != nil {
		return Results{}, fmt.Errorf("store: %s: %w", path, err)
	}
	defer unpacked.Close()
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return Results{}, fmt.Errorf("store: %s: %w", path, err)
	}
	r := Results{Head: map[string]string{}, Config: map[string]string{}, Benchmarks: map[string]int{}, Text: text}
	reader := benchfmt.NewReader(bytes.NewReader(text), path)
	for reader.Scan() {
		record, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		if len(r.Benchmarks) == 0 {
			for _, c := range record.Config {
				r.Config[c.Key] = string(c.Value)
			}
		}
		r.Benchmarks[string(record.Name)]++
	}
	if err := reader.Err(); err != nil {
		return Results{}, fmt.Errorf("store: %w", err)
	}
	if len(r.Benchmarks) == 0 {
		return Results{}, fmt.Errorf("store: %s: %w", path, ErrNoResults)
	}
	r.readHead()
	return r, nil
}

// readHead reads the comments above the first result.
func (r *Results) readHead() {
	for line := range strings.Lines(string(r.Text)) {
		if strings.HasPrefix(line, "Benchmark") {
			return
		}
		field, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "# ")
		if !ok {
			continue
		}
		if name, value, ok := strings.Cut(field, ": "); ok && r.Head[name] == "" {
			r.Head[name] = value
		}
	}
}
