package main

import (
	"os"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/proof/pages"
)

func TestTable(t *testing.T) {
	row := func(name string, value float64) resultfile.Row {
		return resultfile.Row{Name: name, Unit: "cycles/nnz", Samples: []resultfile.Sample{{Iterations: 1, Value: value}}}
	}
	got, err := table(resultfile.File{Rows: []resultfile.Row{
		row("Cycles/op=f32/kernel=generic/processor=a/n=loop", 12), row("Cycles/op=f32/kernel=neon/processor=a/n=loop", 4),
		row("Cycles/op=unit/kernel=generic/processor=a/n=loop", 1), row("Cycles/op=f32/kernel=neon/processor=a/nnz=100", 7),
	}}, "n", "loop")
	want := "| cycles | a |\n| --- | ---: |\n| unit `generic` | 1 |\n| f32 `generic` | 12 |\n| f32 `neon` | 4 (3.0×) |\n"
	if err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	if _, err := table(resultfile.File{}, "n", "loop"); err == nil {
		t.Error("a table of nothing")
	}
}

// The page shows the file that it names.
func TestPageIsAsTheFile(t *testing.T) {
	const root = "../../../.."
	text, err := os.ReadFile(root + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	updated, err := pages.Updated(root, string(text), blocks)
	if err != nil || updated != string(text) {
		t.Errorf("%s is not as its file has it: go run ./internal/proof/cycles/page; %v", name, err)
	}
}
