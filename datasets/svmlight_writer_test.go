package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWriteLines(t *testing.T) {
	set := CSR[float32]{
		Offsets: []int{0, 5, 5, 6},
		Indices: []uint64{0, 3, 4, 5, 1<<64 - 1, 9},
		Weights: []float32{1, 0.1, -1e-45, 16777216, math.MaxFloat32, 2},
		Labels:  []string{"1,7", "", "-1"},
		IDs:     []string{"a # b", "", "x"},
	}
	var buf bytes.Buffer
	if err := WriteSVMLight(t.Context(), &buf, &set); err != nil {
		t.Fatal(err)
	}
	want := "1,7 0:1 3:0.1 4:-1e-45 5:1.6777216e+07 18446744073709551615:3.4028235e+38 # a # b\n0\n-1 9:2 # x\n"
	if diff := cmp.Diff(want, buf.String()); diff != "" {
		t.Error(diff)
	}
	buf.Reset()
	unit := CSR[int64]{Offsets: []int{0, 3}, Indices: []uint64{9, 2, 9}}
	if err := WriteSVMLight(t.Context(), &buf, &unit); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("0 9:1 2:1 9:1\n", buf.String()); diff != "" {
		t.Error(diff)
	}
}

func TestWriteRefuses(t *testing.T) {
	row := func(label, id string, weights ...float64) *Row[float64] {
		return &Row[float64]{Label: []byte(label), ID: []byte(id), Indices: []uint64{5}, Weights: weights}
	}
	for _, c := range []struct {
		row  *Row[float64]
		want string
	}{
		{row("1", "", math.NaN()), "datasets: write row 2: weight NaN of index 5 is not finite"},
		{row("1", "", math.Inf(-1)), "datasets: write row 2: weight -Inf of index 5 is not finite"},
		{row("1", "", 1, 2), "datasets: write row 2: 1 indices and 2 weights"},
		{row("a b", "", 1), `datasets: write row 2: label "a b" is not one printable token without # and colon`},
		{row("a:b", "", 1), `datasets: write row 2: label "a:b" is not one printable token without # and colon`},
		{row("a#b", "", 1), `datasets: write row 2: label "a#b" is not one printable token without # and colon`},
		{row("a\tb", "", 1), `datasets: write row 2: label "a\tb" is not one printable token without # and colon`},
		{row("\ufeffa", "", 1), `datasets: write row 2: label "\ufeffa" is not one printable token without # and colon`},
		{row("1", "a\nb", 1), `datasets: write row 2: id "a\nb" has line breaks, or white space at its ends`},
		{row("1", " a", 1), `datasets: write row 2: id " a" has line breaks, or white space at its ends`},
		{row("1", "a\r", 1), `datasets: write row 2: id "a\r" has line breaks, or white space at its ends`},
	} {
		var buf bytes.Buffer
		w, err := NewVectorWriter[float64](&buf, SVMLight, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(row("1", "", 2)); err != nil {
			t.Fatal(err)
		}
		wantError(t, w.Write(c.row), c.want)
		if err := w.Flush(); err != nil || buf.String() != "1 5:2\n" {
			t.Errorf("wrote %q, %v", buf.String(), err)
		}
	}
	set := CSR[float64]{Offsets: []int{0, 2}, Indices: []uint64{1}}
	wantError(t, WriteSVMLight(t.Context(), &bytes.Buffer{}, &set), "datasets: offsets end at 2, but there are 1 indices")
}

func TestWritePassesErrorsOn(t *testing.T) {
	full := errors.New("disk full")
	w, err := NewVectorWriter[float64](failingWriter{full}, SVMLight, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&Row[float64]{Label: []byte(strings.Repeat("x", 1<<20))}); !errors.Is(err, full) {
		t.Errorf("Write: %v", err)
	}
	if err := w.Flush(); !errors.Is(err, full) {
		t.Errorf("Flush: %v", err)
	}
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

// What is written reads back bit for bit, in each weight type and without weights.
func TestWriteThenRead(t *testing.T) {
	t.Run("int32", func(t *testing.T) { writeThenRead(t, rapid.Int32()) })
	t.Run("int64", func(t *testing.T) { writeThenRead(t, rapid.Int64()) })
	t.Run("float32", func(t *testing.T) { writeThenRead(t, rapid.Float32()) })
	t.Run("float64", func(t *testing.T) { writeThenRead(t, rapid.Float64()) })
}

func writeThenRead[W Weight](t *testing.T, weights *rapid.Generator[W]) {
	weights = weights.Filter(func(w W) bool { return w != 0 && !math.IsInf(float64(w), 0) && w == w })
	rapid.Check(t, func(t *rapid.T) {
		set := CSR[W]{Offsets: []int{0}, Weights: []W{}}
		unit := rapid.Bool().Draw(t, "unit")
		if unit {
			set.Weights = nil
		}
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			row := Row[W]{
				Label:   []byte(rapid.StringMatching(`[-+.,a-zA-Z0-9é]{1,6}`).Draw(t, "label")),
				ID:      []byte(rapid.StringMatching(`([^ \t\n\v\f\r]([^\n]*[^ \t\n\v\f\r])?)?`).Draw(t, "id")),
				Indices: rapid.SliceOf(rapid.Uint64()).Draw(t, "indices"),
			}
			if !unit {
				slices.Sort(row.Indices)
				row.Indices = slices.Compact(row.Indices)
				row.Weights = rapid.SliceOfN(weights, len(row.Indices), len(row.Indices)).Draw(t, "weights")
			}
			if err := set.Append(&row); err != nil {
				t.Fatal(err)
			}
		}
		var buf bytes.Buffer
		if err := WriteSVMLight(t.Context(), &buf, &set); err != nil {
			t.Fatal(err)
		}
		got, err := readSVMLight[W](t.Context(), &buf, ReadOptions{Unit: unit})
		if err != nil {
			t.Fatal(err)
		}
		if !sameSet(&set, &got) {
			t.Fatalf("wrote %+v, read %+v", set, got)
		}
	})
}

// sameSet compares bit for bit, nil and empty slices alike.
func sameSet[W Weight](a, b *CSR[W]) bool {
	return slices.Equal(a.Offsets, b.Offsets) && slices.Equal(a.Indices, b.Indices) && (a.Weights == nil) == (b.Weights == nil) &&
		fmt.Sprintf("%x", a.Weights) == fmt.Sprintf("%x", b.Weights) && slices.Equal(a.Labels, b.Labels) && slices.Equal(a.IDs, b.IDs)
}
