package store

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/perf/benchfmt"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/decompress"
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
	file, err := decompress.Open(context.Background(), path)
	if err != nil {
		return Results{}, fmt.Errorf("store: %w", err)
	}
	defer file.Close()
	d, err := resultfile.ReadDocument(file, path)
	if err != nil {
		return Results{}, fmt.Errorf("store: %w", err)
	}
	r := Results{Head: map[string]string{}, Config: map[string]string{}, Benchmarks: map[string]int{}, Text: d.Text}
	var reader resultfile.Reader
	for record, err := range reader.Records(d) {
		if err != nil {
			return Results{}, fmt.Errorf("store: %w", err)
		}
		if result, ok := record.(*benchfmt.Result); ok {
			r.add(d, result)
		}
	}
	if len(r.Benchmarks) == 0 {
		return Results{}, fmt.Errorf("store: %s: %w", path, ErrNoResults)
	}
	return r, nil
}

// add counts a result; the first one has the head above it.
func (r *Results) add(d *resultfile.Document, result *benchfmt.Result) {
	if len(r.Benchmarks) == 0 {
		for _, c := range result.Config {
			r.Config[c.Key] = string(c.Value)
		}
		_, first := result.Pos()
		for _, h := range d.Head {
			if h.Line < first && r.Head[h.Name] == "" {
				r.Head[h.Name] = h.Value
			}
		}
	}
	r.Benchmarks[string(result.Name)]++
}
