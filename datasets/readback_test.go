package datasets

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What is written in a format reads back bit for bit, in each weight type and without weights.
func TestEveryFormatReadsBack(t *testing.T) {
	for _, format := range Formats() {
		t.Run(string(format), func(t *testing.T) {
			t.Run("int32", func(t *testing.T) { readsBack(t, format, rapid.Int32()) })
			t.Run("int64", func(t *testing.T) { readsBack(t, format, rapid.Int64()) })
			t.Run("float32", func(t *testing.T) { readsBack(t, format, rapid.Float32()) })
			t.Run("float64", func(t *testing.T) { readsBack(t, format, rapid.Float64()) })
		})
	}
}

func readsBack[W Weight](t *testing.T, format Format, weights *rapid.Generator[W]) {
	weights = weights.Filter(func(w W) bool { return w != 0 && w-w == 0 })
	matrix := format == MatrixMarket || format == NPZ
	rapid.Check(t, func(r *rapid.T) {
		unit := rapid.Bool().Draw(r, "unit")
		set := drawSet(r, format, weights, unit)
		got, found, err := readVectors[W](t.Context(), written(t, &set, format), ReadOptions{Unit: unit})
		if err != nil {
			r.Fatal(err)
		}
		if set.Len() > 0 && found != format {
			r.Fatalf("recognized as %s", found)
		}
		if matrix {
			set.Labels, set.IDs = nil, nil
		}
		if !sameSet(&set, &got) {
			r.Fatalf("wrote %+v, read %+v", set, got)
		}
	})
}

// drawSet draws rows that the format holds.
func drawSet[W Weight](t *rapid.T, format Format, weights *rapid.Generator[W], unit bool) CSR[W] {
	set := CSR[W]{Offsets: []int{0}, Weights: []W{}}
	if unit {
		set.Weights = nil
	}
	indices := rapid.Uint64Max(1<<63 - 2)
	if format == SVMLight || format == Vowpal {
		indices = rapid.Uint64()
	}
	for range rapid.IntRange(0, 5).Draw(t, "rows") {
		row := Row[W]{
			Label:   []byte(rapid.StringMatching(`[-+.,a-zA-Z0-9é]{1,6}`).Draw(t, "label")),
			ID:      []byte(rapid.StringMatching(`([^ \t\n\v\f\r|#\x00-\x1f\x7f]{1,5})?`).Draw(t, "id")),
			Indices: rapid.SliceOf(indices).Draw(t, "indices"),
		}
		if bytes.HasPrefix(row.ID, []byte(byteOrderMark)) {
			row.ID = nil
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
	if set.NNZ() == 0 && !unit {
		set.Weights = []W{}
	}
	return set
}
