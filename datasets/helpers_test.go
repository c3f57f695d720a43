package datasets

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// smallText is the content of testdata/small.svm.bz2.
const smallText = "1 3:1.5 18446744073709551615:-2 # first\n-1 7:0.25\n"

func smallSet() CSR[float64] {
	return CSR[float64]{
		Offsets: []int{0, 2, 3},
		Indices: []uint64{3, 1<<64 - 1, 7},
		Weights: []float64{1.5, -2, 0.25},
		IDs:     []string{"first", ""},
	}
}

// readText reads valid text.
func readText[W Weight](t *testing.T, text string, options ReadOptions) CSR[W] {
	t.Helper()
	set, err := readSVMLight[W](t.Context(), strings.NewReader(text), options)
	if err != nil {
		t.Fatalf("reading %q: %v", text, err)
	}
	if err := set.Validate(); err != nil {
		t.Fatalf("reading %q: %v", text, err)
	}
	return set
}

// readAll collects all vectors, also if none has a feature.
func readAll[W Weight](ctx context.Context, reader *VectorReader[W], unit bool) (CSR[W], error) {
	set := newSet[W](unit)
	err := readEach(ctx, reader, set.Append)
	if bad := (*SyntaxError)(nil); err != nil && !(errors.As(err, &bad) && bad.Line == 0 && bad.NoVector) {
		return CSR[W]{}, err
	}
	return set, nil
}

// readSVMLight reads plain svmlight text.
func readSVMLight[W Weight](ctx context.Context, r io.Reader, options ReadOptions) (CSR[W], error) {
	return readAll(ctx, newSVMLightReader[W](&endingReader{ctx, r}, options), options.Unit)
}

// describe returns the Info of a set. Unit weights count as 1.
func describe[W Weight](t *testing.T, set *CSR[W]) Info {
	t.Helper()
	d := newDescriber(t.Context())
	for i := range set.Len() {
		indices, weights := set.Row(i)
		floats := make([]float64, len(indices))
		for j := range floats {
			floats[j] = 1
			if weights != nil {
				floats[j] = float64(weights[j])
			}
		}
		if err := d.add(&Row[float64]{Indices: indices, Weights: floats}); err != nil {
			t.Fatal(err)
		}
	}
	return d.end()
}

func gzipped(t testing.TB, text string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func zstded(t testing.TB, text string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll([]byte(text), nil)
}

// sharedData returns the path of a file of the project's test data. Only developers have these
// files.
func sharedData(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "shared", "data", filepath.FromSlash(name))
	if matches, _ := filepath.Glob(path); matches == nil {
		t.Skipf("%s is missing", path)
	}
	return path
}
