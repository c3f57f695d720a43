package datasets

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

var errStop = errors.New("stop")

// watched is a context that counts the calls of Err and ends at a given call.
type watched struct {
	context.Context
	cancel context.CancelCauseFunc
	looks  atomic.Int64
	end    int64 // 0 means never
}

func newWatched(t *testing.T, end int64) *watched {
	ctx, cancel := context.WithCancelCause(t.Context())
	return &watched{Context: ctx, cancel: cancel, end: end}
}

func (w *watched) Err() error {
	if w.looks.Add(1) == w.end {
		w.cancel(errStop)
	}
	return w.Context.Err()
}

// Every slow operation checks its context regularly and returns its cause, whenever the context
// ends.
func TestContextEnds(t *testing.T) {
	text := strings.Repeat("1 3:1 4:2\n", 100_000)
	path := filepath.Join(t.TempDir(), "x.svm")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	small := CSR[int32]{Offsets: []int{0}}
	for range 100 {
		if err := small.Append(&Row[int32]{Indices: []uint64{1}, Weights: []int32{1}}); err != nil {
			t.Fatal(err)
		}
	}
	large := randomNumbers(1 << 18)
	planted := GenerateOptions{Vectors: 100, NNZ: 10, Duplicates: []PlantedPairs{{0.9, 30}}}
	for _, c := range []struct {
		name  string
		looks int64 // minimum number of checks
		work  func(ctx context.Context) error
	}{
		{"generate", 130, func(ctx context.Context) error { _, _, err := Generate[float32](ctx, planted); return err }},
		{"generate a large vector", 4, func(ctx context.Context) error {
			_, _, err := Generate[float32](ctx, GenerateOptions{Vectors: 1, NNZ: 1 << 17})
			return err
		}},
		{"generate a large pair", 8, func(ctx context.Context) error {
			_, _, err := Generate[float32](ctx, GenerateOptions{Vectors: 2, NNZ: 1 << 17, Duplicates: []PlantedPairs{{0.5, 1}}})
			return err
		}},
		{"write", 100, func(ctx context.Context) error { return WriteSVMLight(ctx, io.Discard, &small) }},
		{"read", 16, func(ctx context.Context) error {
			_, err := readSVMLight[int32](ctx, strings.NewReader(text), ReadOptions{})
			return err
		}},
		{"read blank lines", 16, func(ctx context.Context) error {
			_, err := readSVMLight[int32](ctx, bytes.NewReader(make([]byte, 1<<20)), ReadOptions{OnError: func(error) {}})
			return err
		}},
		{"load", 16, func(ctx context.Context) error { _, _, err := Load[int32](ctx, path, ReadOptions{}); return err }},
		{"describe", 16, func(ctx context.Context) error { _, _, err := Describe(ctx, path, ReadOptions{}); return err }},
		{"describe a large vector", 3, func(ctx context.Context) error { return newDescriber(ctx).add(&Row[float64]{Indices: large}) }},
	} {
		never := newWatched(t, 0)
		if err := c.work(never); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		looks := never.looks.Load()
		if looks < c.looks {
			t.Errorf("%s: looked at its context %d times, expected %d or more", c.name, looks, c.looks)
		}
		for end := int64(1); end <= looks; end += 1 + looks/4 {
			if err := c.work(newWatched(t, end)); !errors.Is(err, errStop) {
				t.Errorf("%s, ended at look %d of %d: %v", c.name, end, looks, err)
			}
		}
	}
}

func randomNumbers(n int) []uint64 {
	r := rand.New(rand.NewPCG(3, 3))
	numbers := make([]uint64, n)
	for i := range numbers {
		numbers[i] = r.Uint64()
	}
	return numbers
}
