package decompress

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

func TestInterruptibleReadsEverything(t *testing.T) {
	text := strings.Repeat("0123456789", 20_000)
	if err := iotest.TestReader(&interruptible{ctx: t.Context(), r: iotest.HalfReader(strings.NewReader(text))}, []byte(text)); err != nil {
		t.Error(err)
	}
	broken := errors.New("broken")
	r := &interruptible{ctx: t.Context(), r: io.MultiReader(strings.NewReader("ab"), iotest.ErrReader(broken))}
	if got, err := io.ReadAll(r); string(got) != "ab" || !errors.Is(err, broken) {
		t.Errorf("%q, %v", got, err)
	}
}

// A stream that keeps its reader waiting does not keep it beyond the end of the context, whether
// it waits for the first byte or for a later one.
func TestContextEndsReading(t *testing.T) {
	stop := errors.New("stop")
	for _, first := range []string{"", "1 3:1\n", string(gzipped(t, smallText)[:15])} {
		ctx, cancel := context.WithCancelCause(t.Context())
		waits, w := io.Pipe()
		defer w.Close()
		r, err := NewReader(ctx, io.MultiReader(strings.NewReader(first), readerFunc(func(p []byte) (int, error) {
			cancel(stop)
			return waits.Read(p)
		})))
		if err == nil {
			_, err = io.ReadAll(r)
		}
		if !errors.Is(err, stop) {
			t.Errorf("after %q: %v", first, err)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// What is there is not read any more when the context has ended.
func TestContextEndedBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	r, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cancel(stop)
	if _, err := Open(ctx, path); !errors.Is(err, stop) {
		t.Errorf("opened: %v", err)
	}
	for range 100 { // chance must not decide
		if got, err := (&interruptible{ctx: ctx, r: strings.NewReader("x")}).Read(make([]byte, 1)); got != 0 || !errors.Is(err, stop) {
			t.Fatalf("read: %d bytes, %v", got, err)
		}
	}
}
