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

// So does what is longer than the buffers, in many rows and in one that no buffer holds.
func TestFormatsReadBackBeyondBuffers(t *testing.T) {
	const buffer = 64 << 10 // of readers and writers
	for _, format := range Formats() {
		set := CSR[float64]{Offsets: []int{0}}
		for i := range 5000 {
			n := i % 7
			if i == 3000 {
				n = buffer // its text is several times as long
			}
			row := Row[float64]{Label: []byte("1")}
			if format == SVMLight || format == Vowpal {
				row.ID = []byte{'a' + byte(i%26)}
			}
			for j := range n {
				row.Indices = append(row.Indices, uint64(j*(1+i%5)))
				row.Weights = append(row.Weights, float64(i-j)+0.5)
			}
			if err := set.Append(&row); err != nil {
				t.Fatal(err)
			}
		}
		data := written(t, &set, format)
		if len(data) < 3*buffer {
			t.Fatalf("%s: %d bytes are too few", format, len(data))
		}
		got, _, err := readVectors[float64](t.Context(), data, ReadOptions{})
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		if format == MatrixMarket || format == NPZ {
			set.Labels, set.IDs = nil, nil
		}
		if !sameSet(&set, &got) {
			t.Errorf("%s: %d rows with %d features, wrote %d with %d, or others", format, got.Len(), got.NNZ(), set.Len(), set.NNZ())
		}
	}
}
