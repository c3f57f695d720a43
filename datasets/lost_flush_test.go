package datasets

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"simhashkit/internal/scratch"
)

// refuse has a temporary file take nothing more, while it can still be read.
func refuse(t *testing.T, file *scratch.File) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	readOnly, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	file.File.Close()
	file.File = readOnly
}

// What is still in buffers at the end does not get lost on its way to a temporary file: the output
// would be a file that is whole, but for its entries.
func TestNoTemporaryFileLosesItsEnd(t *testing.T) {
	row := Row[float64]{Indices: []uint64{3, 7}, Weights: []float64{0.5, 2}}
	for name, c := range map[string]func() error{
		"mtx": func() error {
			return flushed(t, MatrixMarket, &row, func(f form[float64]) *scratchFile { return f.(*marketForm[float64]).entries })
		},
		"indices of npz": func() error {
			return flushed(t, NPZ, &row, func(f form[float64]) *scratchFile { return f.(*npzForm[float64]).indices })
		},
		"offsets of npz": func() error {
			return flushed(t, NPZ, &row, func(f form[float64]) *scratchFile { return f.(*npzForm[float64]).offsets })
		},
		"weights of npz": func() error {
			return flushed(t, NPZ, &row, func(f form[float64]) *scratchFile { return f.(*npzForm[float64]).data })
		},
	} {
		var failed *fs.PathError
		if err := c(); !errors.As(err, &failed) || failed.Op != "write" {
			t.Errorf("%s: error %v, expected that of a write", name, err)
		}
	}
}

func flushed(t *testing.T, format Format, row *Row[float64], of func(form[float64]) *scratchFile) error {
	t.Helper()
	w, err := NewVectorWriter[float64](io.Discard, format, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	refuse(t, of(w.form).file)
	return errors.Join(w.Write(row), w.Flush())
}
