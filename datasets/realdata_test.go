package datasets

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The expected counts are from the description of the data; medians and similar values were
// computed by another program.
func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		name string
		want Info
	}{
		{"sparse/url_Instances_1000.svm.gz", Info{
			Rows: 2000, DuplicateRows: 152, NNZ: 233595, MinNNZ: 36, MedianNNZ: 112, MeanNNZ: 116.7975, MaxNNZ: 190,
			MaxIndex: 3231949, DistinctIndices: 14350,
		}},
		// 449,126 features and 105,410 indices are listed. Six features have intensity 0; one of
		// them is the only feature with its index.
		{"sparse/massbank_A.svm.gz", Info{
			Rows: 19296, DuplicateRows: 12, NNZ: 449120, MinNNZ: 1, MedianNNZ: 10, MeanNNZ: 449120. / 19296, MaxNNZ: 619,
			MaxIndex: 18985693, DistinctIndices: 105409,
		}},
		{"sparse/agaricus.txt.train.gz", Info{
			Rows: 6513, DuplicateRows: 0, NNZ: 143286, MinNNZ: 22, MedianNNZ: 22, MeanNNZ: 22, MaxNNZ: 22,
			MaxIndex: 126, DistinctIndices: 117, WholeWeights: true, OneWeights: true,
		}},
	} {
		set, _, err := Load[float64](t.Context(), sharedData(t, c.name), ReadOptions{})
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(c.want, describe(t, &set)); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
		var buf bytes.Buffer
		if err := WriteSVMLight(t.Context(), &buf, &set); err != nil {
			t.Error(err)
			continue
		}
		again, err := readSVMLight[float64](t.Context(), &buf, ReadOptions{})
		if err != nil || !sameSet(&set, &again) {
			t.Errorf("%s: written and read again it is another set (%v)", c.name, err)
		}
	}
}

func TestRealIDs(t *testing.T) {
	set, _, err := Load[float32](t.Context(), sharedData(t, "sparse/massbank_A.svm.gz"), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if set.ID(1) != "MSBNK-Eawag-EA000402 OUSYWCQYMPDAEO-UHFFFAOYSA-N" {
		t.Errorf("second row: id %q", set.ID(1))
	}
}

func BenchmarkReadSVMLight(b *testing.B) {
	file, err := open(b.Context(), sharedData(b, "sparse/url_Instances_1000.svm.gz"))
	if err != nil {
		b.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("weights=f32", func(b *testing.B) { benchmarkRead[float32](b, text, ReadOptions{}) })
	b.Run("weights=f64", func(b *testing.B) { benchmarkRead[float64](b, text, ReadOptions{}) })
	b.Run("weights=unit", func(b *testing.B) { benchmarkRead[float32](b, text, ReadOptions{Unit: true}) })
}

func benchmarkRead[W Weight](b *testing.B, text []byte, options ReadOptions) {
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		reader := newSVMLightReader[W](bytes.NewReader(text), options)
		var row Row[W]
		nnz := 0
		err := reader.Read(&row)
		for ; err == nil; err = reader.Read(&row) {
			nnz += len(row.Indices)
		}
		if err != io.EOF || nnz != 233595 {
			b.Fatalf("%d features, %v", nnz, err)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for b.Loop() {
		if _, _, err := Generate[float32](context.Background(), GenerateOptions{Vectors: 100, NNZ: 100}); err != nil {
			b.Fatal(err)
		}
	}
}
