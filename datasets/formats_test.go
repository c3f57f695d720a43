package datasets

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readVectors reads vectors of any format from a stream.
func readVectors[W Weight](ctx context.Context, data []byte, options ReadOptions) (CSR[W], Format, error) {
	file, err := NewVectorFile(ctx, bytes.NewReader(data), "", options)
	if err != nil {
		return CSR[W]{}, "", err
	}
	defer file.Close()
	reader, err := Vectors[W](file)
	if err != nil {
		return CSR[W]{}, file.Format, err
	}
	set, err := readAll(ctx, reader, options.Unit)
	return set, file.Format, err
}

// written returns the rows of a set in a format.
func written[W Weight](t testing.TB, set *CSR[W], format Format) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := NewVectorWriter[W](&buf, format, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i := range set.Len() {
		indices, weights := set.Row(i)
		if err := w.Write(&Row[W]{Label: []byte(set.Label(i)), ID: []byte(set.ID(i)), Indices: indices, Weights: weights}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestRecognize(t *testing.T) {
	for text, want := range map[string]Format{
		"":                                 SVMLight,
		"1 3:1\n":                          SVMLight,
		"1 3:1 # a|b\n":                    SVMLight,
		"# a|b\n1 3:1\n":                   SVMLight,
		"\n\n1 |f 3:1\n":                   Vowpal,
		"\ufeff| 3:1\n":                    Vowpal,
		"|":                                Vowpal,
		"1 'x|\n":                          Vowpal,
		"| a | b |\n":                      SVMLight, // a table, as its reader says
		`{"a":"|"}`:                        SVMLight,
		"<a>|</a>":                         SVMLight,
		"%%MatrixMarket matrix coordinate": MatrixMarket,
		"%%matrixmarket ":                  MatrixMarket,
		"PK\x03\x04":                       NPZ,
		"PK\x05\x06":                       NPZ,
		"PK 3:1":                           SVMLight,
	} {
		if got := recognize([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestFormatOf(t *testing.T) {
	for name, want := range map[string]Format{"a.svm": SVMLight, "a.LIBSVM.zst": SVMLight, "b/a.vw.gz": Vowpal, "a.mtx.bz2": MatrixMarket, "a.npz": NPZ} {
		if got, err := FormatOf(name); got != want || err != nil {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	_, err := FormatOf("a.txt.gz")
	wantError(t, err, "datasets: a.txt: expected a name that ends in .svm, .vw, .mtx or .npz, before .gz or .zst")
	for _, format := range Formats() {
		if got, err := ParseFormat(string(format)); got != format || err != nil {
			t.Errorf("%s: %s, %v", format, got, err)
		}
	}
	_, err = ParseFormat("csv")
	wantError(t, err, `datasets: unknown format "csv"; expected one of ["svmlight" "vw" "mtx" "npz"]`)
}

// A file reads as a stream of it does, packed or not, and its rows in any order.
func TestOpenVectors(t *testing.T) {
	set := CSR[float64]{Offsets: []int{0, 2, 2, 3}, Indices: []uint64{0, 4, 1}, Weights: []float64{0.1, -2, 1e300}}
	folder := t.TempDir()
	files := map[string][]byte{}
	for _, format := range Formats() {
		files["a."+string(format)] = written(t, &set, format)
		files["a."+string(format)+".gz"] = gzipped(t, string(files["a."+string(format)]))
	}
	files["columns.mtx"] = []byte("%%MatrixMarket matrix coordinate real general\n% by columns\n3 5 3\n1 1 .1\n3 2 1e300\n1 5 -2\n")
	for name, data := range files {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		got, _, err := Load[float64](t.Context(), path, ReadOptions{})
		streamed, _, streamErr := readVectors[float64](t.Context(), data, ReadOptions{})
		if strings.HasSuffix(name, ".gz") {
			streamed = got // only files are unpacked
		} else if streamErr != nil {
			t.Error(streamErr)
		}
		got.Labels, streamed.Labels = nil, nil
		if err != nil || !sameSet(&set, &got) || !sameSet(&got, &streamed) {
			t.Errorf("%s: %+v, %v; as a stream %+v", name, got, err, streamed)
		}
	}
	_, _, err := Load[float32](t.Context(), filepath.Join(folder, "none"), ReadOptions{})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// The type of weights that holds what is in a file.
func TestWeightsOfAFile(t *testing.T) {
	f32 := CSR[float32]{Offsets: []int{0, 1}, Indices: []uint64{0}, Weights: []float32{1}}
	i32 := CSR[int32]{Offsets: []int{0, 1}, Indices: []uint64{0}, Weights: []int32{1}}
	i64 := CSR[int64]{Offsets: []int{0, 1}, Indices: []uint64{0}, Weights: []int64{1}}
	unit := CSR[int64]{Offsets: []int{0, 1}, Indices: []uint64{0}}
	for _, c := range []struct {
		data []byte
		want string
	}{
		{written(t, &f32, NPZ), Float32}, {written(t, &i32, NPZ), Int32}, {written(t, &i64, NPZ), Int64}, {written(t, &unit, NPZ), Int64},
		{written(t, &f32, MatrixMarket), Float64}, {written(t, &i32, MatrixMarket), Int64}, {written(t, &i32, SVMLight), Float64}, {[]byte("PK\x03\x04"), Float64},
	} {
		file, err := NewVectorFile(t.Context(), bytes.NewReader(c.data), "", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if file.Weights != c.want {
			t.Errorf("%.60q: %s, want %s", c.data, file.Weights, c.want)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Reading ends when the context does, whatever the format.
func TestVectorsEndWithTheContext(t *testing.T) {
	set := CSR[float64]{Offsets: []int{0, 1}, Indices: []uint64{3}, Weights: []float64{2}}
	for _, format := range Formats() {
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := errors.New("stop")
		file, err := NewVectorFile(ctx, bytes.NewReader(written(t, &set, format)), "", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		reader, err := Vectors[float64](file)
		if err != nil {
			t.Fatal(err)
		}
		cancel(stop)
		if _, err := readAll(ctx, reader, false); !errors.Is(err, stop) {
			t.Errorf("%s: %v", format, err)
		}
		file.Close()
	}
	// a stream that never ends, and would all have to be read
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	stream := &slowEnd{head: "%%MatrixMarket", enough: func() { cancel(stop) }}
	if _, err := NewVectorFile(ctx, stream, "", ReadOptions{}); !errors.Is(err, stop) {
		t.Errorf("a stream that does not end: %v", err)
	}
}

type slowEnd struct {
	head   string
	reads  int
	enough func()
}

func (e *slowEnd) Read(p []byte) (int, error) {
	if e.reads++; e.reads == 10 {
		e.enough()
	}
	n := copy(p, e.head)
	e.head = ""
	return max(n, 1), nil
}

// The labels and ids of a row in Vowpal Wabbit's format, and its features.
func describeRows[W Weight](set *CSR[W]) (rows []string) {
	for i := range set.Len() {
		var one CSR[W]
		indices, weights := set.Row(i)
		_ = one.Append(&Row[W]{Indices: indices, Weights: weights, Label: []byte(set.Label(i)), ID: []byte(set.ID(i))})
		var buf bytes.Buffer
		_ = WriteSVMLight(context.Background(), &buf, &one)
		rows = append(rows, strings.TrimSuffix(buf.String(), "\n"))
	}
	return rows
}

func wantRows(t *testing.T, data string, options ReadOptions, want ...string) {
	t.Helper()
	set, _, err := readVectors[float64](t.Context(), []byte(data), options)
	if err != nil {
		t.Errorf("%.100q: %v", data, err)
		return
	}
	if diff := cmp.Diff(want, describeRows(&set)); diff != "" {
		t.Errorf("%.100q: -want +got\n%s", data, diff)
	}
}
