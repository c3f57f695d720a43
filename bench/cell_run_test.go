package bench

import (
	"context"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/datasets"
)

// computed computes the cells that match.
func computed(t *testing.T, o Options, data *Data, workers int) *Outcome {
	t.Helper()
	list, err := o.cells()
	if err != nil || len(list) == 0 {
		t.Fatalf("%d cells, error %v", len(list), err)
	}
	rows, err := runCells(context.Background(), list, NewInputs(data), workers, func(Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	return &Outcome{Rows: rows}
}

// Rows depend neither on the kernels nor on the number of workers, and each figure is one that can
// be written.
func TestCellsAreDeterministic(t *testing.T) {
	o := Options{Suite: SuiteQuality, Match: regexp.MustCompile("^Quality/hash=fnv1a64/encoding=le64/pattern=(dense1e3|uniform64)/weights=unit/")}
	want := computed(t, o, nil, 1).Rows
	dense := o
	dense.Match = regexp.MustCompile("^Quality/hash=fnv1a64/encoding=le64/pattern=dense1e3/weights=unit/")
	alone := computed(t, dense, nil, 0).Rows
	together := slices.DeleteFunc(slices.Clone(want), func(r resultfile.Row) bool { return !strings.Contains(r.Name, "pattern=dense1e3") })
	if diff := cmp.Diff(alone, together); diff != "" {
		t.Errorf("one cell gives others than after another (-alone +together):\n%s", diff)
	}
	former, err := cpu.SetTier(cpu.Generic)
	if err != nil {
		t.Fatal(err)
	}
	defer cpu.SetTier(former)
	if diff := cmp.Diff(want, computed(t, o, nil, 3).Rows); diff != "" {
		t.Errorf("the generic kernels and three workers give others (-want +got):\n%s", diff)
	}
	kinds := map[string]int{}
	for _, r := range want {
		name, err := benchname.Parse(r.Name)
		if err != nil || len(r.Samples) != 1 || math.IsNaN(r.Samples[0].Value) || math.IsInf(r.Samples[0].Value, 0) {
			t.Errorf("row %+v, error %v", r, err)
		}
		kinds[name.Base]++
	}
	if kinds[terms.Quality] == 0 || len(kinds) != 1 {
		t.Errorf("rows %v", kinds)
	}
}

// few are vectors of which no two are near each other.
func few(t *testing.T, n int) *Data {
	t.Helper()
	var set datasets.CSR[float64]
	for i := range n {
		if err := set.Append(&datasets.Row[float64]{Indices: []uint64{uint64(i), uint64(i + 1), 1000}, Weights: []float64{1, 2.5, 1}}); err != nil {
			t.Fatal(err)
		}
	}
	data, err := NewData("own.svm", "a test's", set)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A few vectors of which no two are near each other have figures, by edited copies, and one vector
// is an error of the cell.
func TestCellsOnFewVectors(t *testing.T) {
	for _, n := range []int{1, 3, 19} {
		r := computed(t, Options{Data: "own.svm", Match: regexp.MustCompile("^Quality/hash=xxh64/encoding=le64/pattern=data")}, few(t, n), 0)
		if n == 1 {
			if len(r.Rows) != 1 || !strings.Contains(r.Rows[0].Err, "1 vector: no two of them differ") {
				t.Errorf("one vector: %+v", r.Rows)
			}
			continue
		}
		i := slices.IndexFunc(r.Rows, func(r resultfile.Row) bool { return r.Unit == terms.EffectiveBits })
		if i < 0 || r.Rows[i].Samples[0].Value < 57.6 {
			t.Errorf("%d vectors: rows %v", n, r.Rows)
		}
		for _, row := range r.Rows {
			if v := row.Samples[0].Value; math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%d vectors: %+v", n, row)
			}
		}
	}
}

func TestRunCellsStops(t *testing.T) {
	list, err := Options{Match: regexp.MustCompile("^Quality/hash=xxh64/")}.cells()
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(stop)
	if r, err := (&Plan{Cells: list}).Run(ctx, NewInputs(nil), RunOptions{}); r != nil || !errors.Is(err, stop) {
		t.Errorf("results %v, error %v", r, err)
	}
}
