package datasets

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/testing/python"
)

var pythonModules = []string{"numpy", "scipy", "sklearn"}

// TestReadsPython reads files that scipy and scikit-learn have written, by
// testdata/interop/make.py, and wants the bits that they find there themselves.
func TestReadsPython(t *testing.T) { readsPython(t, filepath.Join("testdata", "interop")) }

// TestPythonNow does it with the libraries that are installed.
func TestPythonNow(t *testing.T) {
	folder := t.TempDir()
	python.Run(t, pythonModules, filepath.Join("testdata", "interop", "make.py"), folder)
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
	if len(want) != 18 {
		t.Errorf("%d files, want 18", len(want))
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

// cellsOf lists the cells of a set: file, row, column and the bits of the weight.
func cellsOf[W Weight](name string, set *CSR[W]) (cells []string) {
	for i := range set.Len() {
		indices, weights := set.Row(i)
		for j, index := range indices {
			cells = append(cells, fmt.Sprintf("%s\t%d\t%d\t%016x", name, i, index, math.Float64bits(float64(weights[j]))))
		}
	}
	return cells
}

// TestPythonReadsOurs has scipy and scikit-learn read what is written here.
func TestPythonReadsOurs(t *testing.T) {
	folder := t.TempDir()
	var paths, want []string
	add := func(name string, data []byte, cells []string) {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		paths, want = append(paths, path), append(want, cells...)
	}
	real := CSR[float64]{Offsets: []int{0, 3, 3, 5}, Indices: []uint64{0, 4, 70000, 1, 2}, Weights: []float64{0.1, -5e-324, math.MaxFloat64, 0.30000000000000004, 1e22}}
	small := CSR[float32]{Offsets: []int{0, 2, 3}, Indices: []uint64{0, 4, 1}, Weights: []float32{0.1, -1e-45, math.MaxFloat32}}
	whole := CSR[int64]{Offsets: []int{0, 2, 3}, Indices: []uint64{0, 4, 1}, Weights: []int64{1 << 53, -1 << 40, 3}}
	narrow := CSR[int32]{Offsets: []int{0, 1}, Indices: []uint64{5}, Weights: []int32{math.MinInt32}}
	far := CSR[float64]{Offsets: []int{0, 1}, Indices: []uint64{1 << 40}, Weights: []float64{0.1}}
	ones := CSR[float64]{Offsets: []int{0, 2}, Indices: []uint64{3, 7}, Weights: []float64{1, 1}}
	unit := CSR[float64]{Offsets: []int{0, 2}, Indices: []uint64{3, 7}}
	for _, format := range []Format{NPZ, MatrixMarket, SVMLight} {
		name := func(kind string) string {
			return kind + map[Format]string{NPZ: ".npz", MatrixMarket: ".mtx", SVMLight: ".svm"}[format]
		}
		add(name("real"), written(t, &real, format), cellsOf(name("real"), &real))
		add(name("unit"), written(t, &unit, format), cellsOf(name("unit"), &ones))
		if format == SVMLight { // float64 throughout, and indices of 32 bits there
			continue
		}
		add(name("whole"), written(t, &whole, format), cellsOf(name("whole"), &whole))
		add(name("narrow"), written(t, &narrow, format), cellsOf(name("narrow"), &narrow))
		add(name("far"), written(t, &far, format), cellsOf(name("far"), &far))
	}
	add("small.npz", written(t, &small, NPZ), cellsOf("small.npz", &small))
	got := strings.Split(strings.TrimSuffix(python.Run(t, pythonModules, filepath.Join("testdata", "interop", "cells.py"), paths...), "\n"), "\n")
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-ours +theirs\n%s", diff)
	}
}
