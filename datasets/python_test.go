package datasets

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/testing/tools"
)

var pythonModules = []string{"numpy", "scipy", "sklearn"}

// TestReadsPython reads files that testdata/interop/make.py wrote with scipy and scikit-learn. The
// values must equal, bit for bit, those that these libraries read.
func TestReadsPython(t *testing.T) { readsPython(t, filepath.Join("testdata", "interop")) }

// TestPythonNow is TestReadsPython with the installed libraries.
func TestPythonNow(t *testing.T) {
	folder := t.TempDir()
	tools.Python(t, pythonModules, filepath.Join("testdata", "interop", "make.py"), folder)
	readsPython(t, folder)
}

func readsPython(t *testing.T, folder string) {
	list, err := os.ReadFile(filepath.Join(folder, "cells.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"empty.npz": nil}
	for line := range strings.Lines(string(list)) {
		name, _, _ := strings.Cut(line, "\t")
		want[name] = append(want[name], strings.TrimSuffix(line, "\n"))
	}
	if len(want) != 12 {
		t.Errorf("%d files, want 12", len(want))
	}
	for name, cells := range want {
		options := ReadOptions{}
		if name == "one.svm" {
			options.Base = 1
		}
		set, _, err := Load[float64](t.Context(), filepath.Join(folder, name), options)
		if err != nil {
			t.Error(err)
		} else if diff := cmp.Diff(cells, cellsOf(name, &set)); diff != "" {
			t.Errorf("%s: -theirs +ours\n%s", name, diff)
		}
	}
}

// cellsOf lists the entries of a set: file, row, column and the bits of the weight.
func cellsOf[W Weight](name string, set *CSR[W]) (cells []string) {
	for i := range set.Len() {
		indices, weights := set.Row(i)
		for j, index := range indices {
			cells = append(cells, fmt.Sprintf("%s\t%d\t%d\t%016x", name, i, index, math.Float64bits(float64(weights[j]))))
		}
	}
	return cells
}

// TestPythonReadsOurs checks that scikit-learn can read the output of WriteSVMLight.
func TestPythonReadsOurs(t *testing.T) {
	folder := t.TempDir()
	real := CSR[float64]{Offsets: []int{0, 3, 3, 5}, Indices: []uint64{0, 4, 70000, 1, 2}, Weights: []float64{0.1, -5e-324, math.MaxFloat64, 0.30000000000000004, 1e22}}
	unit := CSR[float64]{Offsets: []int{0, 2}, Indices: []uint64{3, 7}}
	ones := CSR[float64]{Offsets: []int{0, 2}, Indices: []uint64{3, 7}, Weights: []float64{1, 1}}
	var paths []string
	for name, set := range map[string]*CSR[float64]{"real.svm": &real, "unit.svm": &unit} {
		var text bytes.Buffer
		if err := WriteSVMLight(t.Context(), &text, set); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	want := append(cellsOf("real.svm", &real), cellsOf("unit.svm", &ones)...)
	got := strings.Split(strings.TrimSuffix(tools.Python(t, pythonModules, filepath.Join("testdata", "interop", "cells.py"), paths...), "\n"), "\n")
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-ours +theirs\n%s", diff)
	}
}
