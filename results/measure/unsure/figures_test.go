package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/datasets"
)

// The figures are those that were written down once, to 8 digits.
func TestFrozenFigures(t *testing.T) {
	var list []resultfile.Row
	for _, c := range []Case{caseOf(t, "xxh64", LogNormal, 64, 100), caseOf(t, "xxh64", datasets.Unit, 64, 100), caseOf(t, "md5", Outlier, 128, 10)} {
		list = append(list, Rows(c, measured(t, c, 100))...)
	}
	var got bytes.Buffer
	if err := resultfile.Write(&got, resultfile.File{Rows: list}); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/figures.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the figures are\n%s\nexpected\n%s", got.Bytes(), want)
	}
}

// The command writes a file with all cases, whose units are exact; without -o it does nothing.
func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "unsure.txt")
	if err := run(t.Context(), []string{"-pairs", "2", "-o", path}, t.Output()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Unit strangers assume=exact\n", "BenchmarkUnsure/hash=xxh64/weights=lognormal/f=64/nnz=10/cosine=0.95/t=8/k=3 ", "BenchmarkUnsure/hash=md5/weights=lognormal/f=128/nnz=100/"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the file lacks %q", want)
		}
	}
	for _, args := range [][]string{nil, {"-o", path, "more"}, {"-o", path, "-pairs", "0"}} {
		if err := run(t.Context(), args, t.Output()); err == nil {
			t.Errorf("arguments %q: no error", args)
		}
	}
}
