package documents

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// A reader returns the context's cause, even if its buffer still has records or a pipe has no data.
func TestContextEnds(t *testing.T) {
	stop := errors.New("stop")
	root := t.TempDir()
	writeTo(t, filepath.Join(root, "a"), "a")
	writeTo(t, filepath.Join(root, "b"), "b")
	waits, w := io.Pipe()
	defer w.Close()
	for name, open := range map[string]func(ctx context.Context) (Reader, error){
		"lines": func(ctx context.Context) (Reader, error) {
			return NewReader(ctx, strings.NewReader("a\nb\n"), "x", Options{})
		},
		"folder": func(ctx context.Context) (Reader, error) { return Open(ctx, root, Options{}) },
		"tar": func(ctx context.Context) (Reader, error) {
			return NewReader(ctx, strings.NewReader(tarOf(t, "a", "a", "b", "b")), "x", Options{})
		},
		"pipe": func(ctx context.Context) (Reader, error) {
			return NewReader(ctx, io.MultiReader(strings.NewReader(strings.Repeat("a\n", 1000)), waits), "x", Options{})
		},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		r, err := open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var d Document
		if err := r.Read(&d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		cancel(stop)
		for range 2 {
			if err := r.Read(&d); !errors.Is(err, stop) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := r.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
