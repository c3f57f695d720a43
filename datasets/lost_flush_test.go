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
			m, err := NewMarketWriter[float64](io.Discard, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			refuse(t, m.file)
			return errors.Join(m.Write(&row), m.Flush())
		},
		"indices of npz": func() error { return flushed(t, &row, func(n *NPZWriter[float64]) *scratchArray { return n.indices }) },
		"offsets of npz": func() error { return flushed(t, &row, func(n *NPZWriter[float64]) *scratchArray { return n.offsets }) },
		"weights of npz": func() error { return flushed(t, &row, func(n *NPZWriter[float64]) *scratchArray { return n.data }) },
		"different values": func() error {
			d := newDistinct(t.Context())
			defer d.close()
			var err error
			if d.file, err = scratch.New(); err != nil {
				t.Fatal(err)
			}
			refuse(t, d.file)
			if err := d.add(value{1}); err != nil {
				return err
			}
			_, err = d.count()
			return err
		},
	} {
		var failed *fs.PathError
		if err := c(); !errors.As(err, &failed) || failed.Op != "write" {
			t.Errorf("%s: error %v, expected that of a write", name, err)
		}
	}
}

func flushed(t *testing.T, row *Row[float64], of func(*NPZWriter[float64]) *scratchArray) error {
	t.Helper()
	n, err := NewNPZWriter[float64](io.Discard, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	refuse(t, of(n).file)
	return errors.Join(n.Write(row), n.Flush())
}
