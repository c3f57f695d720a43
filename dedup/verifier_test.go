package dedup

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"simhashkit/datasets"
	"simhashkit/internal/similarity"
)

// The store returns the numbers that were added, in any order of the records.
func TestStore(t *testing.T) {
	want := map[uint64][]uint64{3: {1, 2, 1 << 63}, 7: {}, 1 << 40: {9}}
	v := newVerifier(Spec{}, t.TempDir())
	if err := v.open([]uint64{3, 7, 1 << 40}); err != nil {
		t.Fatal(err)
	}
	defer v.close()
	s := v.store
	for _, record := range s.records {
		if err := s.add(append([]uint64{4, record, 6}, want[record]...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.end(); err != nil {
		t.Fatal(err)
	}
	buffer := []uint64{5}
	for _, record := range []uint64{1 << 40, 3, 7, 3} {
		got, b, err := s.read(buffer, record)
		buffer = b
		if traits := (similarity.Traits{Symbols: 4, Numbers: record, Negations: 6}); err != nil || got.traits != traits || !slices.Equal(got.numbers, want[record]) {
			t.Errorf("record %d has %v, %v, expected %v", record, got, err, want[record])
		}
	}
	if _, _, err := s.read(nil, 4); err == nil || !strings.Contains(err.Error(), "record 4 was not loaded") {
		t.Errorf("error %v", err)
	}
}

// Batches of texts are added in order, with any number of workers.
func TestStoreOfManyTexts(t *testing.T) {
	const n = 2*batchTexts + 10
	texts, records := make([]string, n), make([]uint64, n)
	for i := range texts {
		texts[i], records[i] = strings.Repeat("x ", i%7), uint64(i)
	}
	texts[5] = strings.Repeat("y ", batchTextBytes/2+1)
	for _, workers := range []int{0, 1, 3} {
		v := newVerifier(Spec{}, t.TempDir())
		if err := v.load(t.Context(), records, &Options{Texts: rereadTexts(texts), Workers: workers}); err != nil {
			t.Fatal(err)
		}
		for i := range texts {
			if got, _, err := v.store.read(nil, uint64(i)); err != nil || len(got.numbers) != len(texts[i])/2 {
				t.Fatalf("%d workers: text %d has %d words, %v", workers, i, len(got.numbers), err)
			}
		}
		v.close()
	}
}

// Find returns the errors of reading records again.
func TestLoadErrors(t *testing.T) {
	broken, folder := errors.New("broken"), t.TempDir()
	ctx, cancel := context.WithCancelCause(t.Context())
	texts := []string{"a", "b", "c"}
	for want, options := range map[string]Options{
		"2 records read again, expected 3": {Folder: folder, Texts: func(ctx context.Context, records []uint64, take func(uint64, []byte) error) error {
			return rereadTexts(texts)(ctx, records[:2], take)
		}},
		"broken":    {Folder: folder, Texts: func(context.Context, []uint64, func(uint64, []byte) error) error { return broken }},
		"no such f": {Folder: folder + "/missing", Texts: rereadTexts(texts)},
		"canceled": {Folder: folder, Texts: func(_ context.Context, records []uint64, take func(uint64, []byte) error) error {
			cancel(errors.New("canceled on the way"))
			return rereadTexts(texts)(ctx, records, take)
		}},
	} {
		options.Spec = Spec{Measure: Words, Similarity: 0.9, Recall: 0.9}
		records := &Records{Name: "texts"}
		records.Set.Bits = 64
		for range texts {
			records.Add(nil, []uint64{0}, true)
		}
		in := t.Context()
		if want == "canceled" {
			in = ctx
		}
		_, err := Find(in, records, options)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("files left behind: %v, %v", left, err)
	}
}

// Too few vectors are an error.
func TestLoadOfFewerVectors(t *testing.T) {
	vectors := func(_ context.Context, records []uint64, take func(uint64, *datasets.Row[float64]) error) error {
		return take(records[0], &datasets.Row[float64]{Indices: []uint64{1}, Weights: []float64{2}})
	}
	v := newVerifier(Spec{Measure: Cosine, Similarity: 0.9}, t.TempDir())
	defer v.close()
	if err := v.load(t.Context(), []uint64{0, 4}, &Options{Vectors: vectors}); err == nil || !strings.Contains(err.Error(), "1 records read again, expected 2") {
		t.Errorf("error %v", err)
	}
}

// The error for a full disk names what was written.
func TestStoreOnFullDisk(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can mount a file system")
	}
	folder := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %s", out)
	}
	defer exec.Command("umount", "-l", folder).Run()
	texts := []string{strings.Repeat("word ", 100_000), "x"}
	v := newVerifier(Spec{Measure: Words, Similarity: 0.9}, folder)
	defer v.close()
	err := v.load(t.Context(), []uint64{0, 1}, &Options{Texts: rereadTexts(texts)})
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "words or vectors of candidates") {
		t.Errorf("error %v", err)
	}
}
