package main

import (
	"strings"
	"testing"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/results/measure/evidence"
)

// An op without a kernel at a tier uses the one below, never one above, and never a loop that is no
// tier.
func TestAtTier(t *testing.T) {
	file, err := resultfile.Read(strings.NewReader(`BenchmarkA/kernel=naive/n=1 1 9 ns/nnz
BenchmarkA/kernel=generic/n=1 1 3 ns/nnz
BenchmarkA/kernel=neon/n=1 1 2 ns/nnz
BenchmarkA/kernel=avx512/n=1 1 1 ns/nnz
BenchmarkB/kernel=avx512/n=1 1 1 ns/nnz
BenchmarkC/n=1 1 4 ns/nnz
`), "a")
	if err != nil {
		t.Fatal(err)
	}
	index := evidence.NewIndex(resultfile.Summarize(file.Rows))
	for name, want := range map[string]string{
		"A/kernel=avx512gfni/n=1": "A/kernel=avx512/n=1",
		"A/kernel=avx512/n=1":     "A/kernel=avx512/n=1",
		"A/kernel=avx2/n=1":       "A/kernel=generic/n=1", // neon is another architecture's
		"A/kernel=neon/n=1":       "A/kernel=neon/n=1",
		"B/kernel=neon/n=1":       "",
		"A/kernel=generic/n=1":    "A/kernel=generic/n=1",
		"A/kernel=naive/n=1":      "A/kernel=naive/n=1",
		"A/kernel=library/n=1":    "",
		"A/kernel=avx2/n=2":       "",
		"B/kernel=avx2/n=1":       "",
		"C/n=1":                   "C/n=1",
	} {
		parsed, err := benchname.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		r, ok := atTier(index, parsed, "ns/nnz")
		if ok != (want != "") || ok && r.Name.String() != want {
			t.Errorf("%s: %s, want %s", name, r.Name, want)
		}
	}
}
