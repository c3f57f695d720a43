package tables

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets/text/weights"
	"simhashkit/internal/wholefile"
)

// written returns the file of a table.
func written(t *testing.T, table *weights.Table) string {
	t.Helper()
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// small returns a table of two documents.
func small() *weights.Table {
	b := weights.NewBuilder("words", 0)
	b.Add([][]byte{[]byte("x\ty"), []byte("all")})
	b.Add([][]byte{[]byte("\xff\x00é"), []byte("all")})
	return b.Table()
}

// files are the names of a plain file and of compressed ones.
var files = []string{"t.tsv", "t.tsv.gz", "t.tsv.zst"}

func TestSaveAndLoad(t *testing.T) {
	want := written(t, small())
	for _, name := range files {
		path := filepath.Join(t.TempDir(), name)
		if err := Save(small(), path); err != nil {
			t.Fatal(err)
		}
		loaded, err := Load(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, written(t, loaded)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestLoadList(t *testing.T) {
	list, err := weights.NewList(map[string]float64{"a": 1, "b\tc": -2.5}, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		path := filepath.Join(t.TempDir(), name)
		if err := wholefile.Write(path, list.Write); err != nil {
			t.Fatal(err)
		}
		loaded, err := LoadList(t.Context(), path, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		if loaded.Name() != list.Name() {
			t.Errorf("%s: %s, want %s", name, loaded.Name(), list.Name())
		}
	}
}

// Errors name the file, also a compressed one. Loading ends with the cause when the context ends.
func TestLoadFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.tsv.gz")
	if err := Save(small(), path); err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, packed[:len(packed)-9], 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("interrupted")
	cancel(cause)
	for what, load := range map[string]func(context.Context) error{
		"table": func(ctx context.Context) error { _, err := Load(ctx, path); return err },
		"list":  func(ctx context.Context) error { _, err := LoadList(ctx, path, 0); return err },
	} {
		// A list fails earlier: the first line of a table has no tab.
		if err := load(t.Context()); what == "table" && !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), path) {
			t.Errorf("truncated %s: %v", what, err)
		}
		if err := load(ctx); !errors.Is(err, cause) {
			t.Errorf("interrupted %s: %v", what, err)
		}
	}
	if err := Save(small(), filepath.Join(path, "below")); err == nil || !strings.HasPrefix(err.Error(), "weights: write ") {
		t.Errorf("saved below a file: %v", err)
	}
}
