package indexfile

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"simhashkit/fphash/index"
)

// eachEntry calls yield with all entries until it returns false.
func eachEntry(r *Reader, yield func(id ID, words []uint64) bool) error {
	for e, err := range r.All() {
		if err != nil {
			return err
		}
		if !yield(e.ID, e.Words) {
			break
		}
	}
	return nil
}

func openNew(t *testing.T, e *Entries, k int) (*Writer, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.index")
	if err := Create(t.Context(), path, e, Options{K: k, Texts: e.Texts != nil}); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w, path
}

// InsertUnlessNear gives the same answers as a search by hand before each insert, through deletes,
// replacements, compactions and another opening, and what it inserted is in the file.
func TestInsertUnlessNearIsASearchAndAnInsert(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	const k = 3
	texts := &Entries{Set: index.Set{Bits: 64, Words: []uint64{5}}, Texts: []string{"first"}}
	w, path := openNew(t, texts, k)
	kept := map[ID]uint64{{Text: "first"}: 5}
	for i := range 600 {
		x := r.Uint64() & 0x1ff // every fingerprint is near some others
		if i%3 == 0 {
			x = r.Uint64()
		}
		want := map[ID]bool{}
		for id, other := range kept {
			if distance(x, other) <= k {
				want[id] = true
			}
		}
		query := index.Query{Words: []uint64{x}}
		found, err := w.AppendWithin(nil, query, k)
		if err != nil || len(found) != len(want) {
			t.Fatalf("%d: AppendWithin finds %d, %v, expected %d", i, len(found), err, len(want))
		}
		id := ID{Text: fmt.Sprint("id ", i)}
		near, err := w.InsertUnlessNear(id, query, k)
		if err != nil || len(near) != len(want) {
			t.Fatalf("%d: InsertUnlessNear finds %d, %v, expected %d", i, len(near), err, len(want))
		}
		for j, m := range near {
			if !want[m.ID] || m.Distance != distance(x, kept[m.ID]) || m != found[j] {
				t.Fatalf("%d: match %v", i, m)
			}
		}
		if len(near) == 0 {
			kept[id] = x
		}
		switch {
		case i%7 == 3: // of the base, or of the log
			for id := range kept {
				if n, err := w.Delete(id); n != 1 || err != nil {
					t.Fatal(n, err)
				}
				delete(kept, id)
				break
			}
		case i%50 == 49:
			if err := w.Compact(t.Context()); err != nil {
				t.Fatal(err)
			}
		case i%90 == 80:
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if w, err = OpenWriter(path); err != nil {
				t.Fatal(err)
			}
			defer w.Close()
		}
	}
	reader, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	n := 0
	for e, err := range reader.All() {
		if err != nil || kept[e.ID] != e.Words[0] {
			t.Fatalf("%v, %v: expected %x", e, err, kept[e.ID])
		}
		n++
	}
	if n != len(kept) {
		t.Errorf("%d entries in the file, expected %d", n, len(kept))
	}
}

func distance(a, b uint64) (n int) {
	for x := a ^ b; x != 0; x &= x - 1 {
		n++
	}
	return n
}

// Of goroutines that insert near fingerprints at the same time, one does, also during compactions.
func TestOneOfManyInserts(t *testing.T) {
	w, _ := openNew(t, &Entries{Set: index.Set{Bits: 64}}, 3)
	r := rand.New(rand.NewPCG(32, 1))
	for round := range 20 {
		centre := r.Uint64()
		inserted := make([]bool, 8)
		var all sync.WaitGroup
		for i := range inserted {
			id := ID{Number: uint64(round*len(inserted) + i)}
			all.Go(func() {
				near, err := w.InsertUnlessNear(id, index.Query{Words: []uint64{centre ^ 1<<(i*7)}}, 3)
				if err != nil {
					t.Error(err)
				}
				inserted[i] = len(near) == 0
			})
		}
		if round%3 == 0 {
			if err := w.Compact(t.Context()); err != nil {
				t.Error(err)
			}
		}
		all.Wait()
		n := 0
		for _, yes := range inserted {
			if yes {
				n++
			}
		}
		if n != 1 {
			t.Fatalf("round %d: %d of 8 near fingerprints were inserted, expected 1", round, n)
		}
	}
	if w.Info().Entries != 20 {
		t.Errorf("%d entries, expected 20", w.Info().Entries)
	}
}

// Errors of InsertUnlessNear change nothing.
func TestInsertUnlessNearErrors(t *testing.T) {
	w, _ := openNew(t, &Entries{Set: index.Set{Bits: 60, Words: []uint64{1, 1 << 40}, IDs: []uint64{7, 8}}}, 3)
	for want, call := range map[string]func() error{
		"distance 4, expected 0 to 3": func() error {
			_, err := w.InsertUnlessNear(ID{Number: 1}, index.Query{Words: []uint64{1 << 50}}, 4)
			return err
		},
		"bits beyond the width": func() error {
			_, err := w.InsertUnlessNear(ID{Number: 1}, index.Query{Words: []uint64{1 << 61}}, 0)
			return err
		},
		"different definitions": func() error {
			_, err := w.InsertUnlessNear(ID{Number: 1}, index.Query{Words: []uint64{2}, Definition: "md5,le64,60"}, 0)
			return err
		},
		"id 7 is already in the index": func() error {
			_, err := w.InsertUnlessNear(ID{Number: 7}, index.Query{Words: []uint64{1<<60 - 1}}, 3)
			return err
		},
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %s", err, want)
		}
	}
	if w.Info().Entries != 2 {
		t.Errorf("%d entries, expected 2", w.Info().Entries)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.InsertUnlessNear(ID{Number: 1}, index.Query{Words: []uint64{1}}, 0); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("after Close: %v", err)
	}
}

// A context that is done ends Create, Compact and Verify, and the files stay as they were.
func TestContextIsDone(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 1))
	e := &Entries{Set: index.Set{Bits: 64, Words: make([]uint64, 3000)}}
	for i := range e.Words {
		e.Words[i] = r.Uint64()
	}
	w, path := openNew(t, e, 3)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	other := filepath.Join(t.TempDir(), "other.index")
	_, verified := Verify(ctx, path, "")
	_, salvaged := Verify(ctx, path, other)
	for what, err := range map[string]error{"Create": Create(ctx, other, e, Options{K: 3}), "Compact": w.Compact(ctx), "Verify": verified, "saving": salvaged} {
		if !errors.Is(err, cause) {
			t.Errorf("%s: %v, expected the cause", what, err)
		}
	}
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(other), "*")); len(names) > 0 {
		t.Errorf("%v was left behind", names)
	}
	if all, err := w.held.all(ctx); all != nil || !errors.Is(err, cause) {
		t.Errorf("copying all entries: %v, expected the cause", err)
	}
	if near, err := w.InsertUnlessNear(ID{Number: 1 << 40}, index.Query{Words: []uint64{7}}, 0); err != nil || len(near) > 0 {
		t.Errorf("after a compaction that was ended: %v, %v", near, err)
	}
	if err := w.Compact(t.Context()); err != nil || w.Info().Entries != 3001 {
		t.Errorf("%d entries, %v", w.Info().Entries, err)
	}
}

// A loop over All may end early, and its own panics are its own.
func TestAllIsAnIterator(t *testing.T) {
	w, path := openNew(t, &Entries{Set: index.Set{Bits: 64, Words: make([]uint64, 2500)}}, 3)
	w.Close()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for e, err := range r.All() {
		if n++; err != nil || e.ID.Number != uint64(n-1) {
			t.Fatal(e, err)
		}
		if r.mutex.TryLock() {
			t.Fatal("another goroutine could close the file during the loop")
		}
		if n == 1500 {
			break
		}
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of the loop is lost")
			}
		}()
		for e := range r.All() {
			_ = e.Words[e.ID.Number+1] // out of range
		}
	}()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	var errs []error
	for _, err := range r.All() {
		errs = append(errs, err)
	}
	if len(errs) != 1 || !errors.Is(errs[0], os.ErrClosed) {
		t.Errorf("%v, expected an error for a closed Reader", errs)
	}
}

// The zero values say what to call.
func TestZeroReaderAndWriter(t *testing.T) {
	var r Reader
	var w Writer
	_, info := r.Info()
	_, refreshed := r.Refresh()
	_, within := r.AppendWithin(nil, index.Query{}, 0)
	for what, err := range map[string]error{"Info": info, "Refresh": refreshed, "AppendWithin": within} {
		if err == nil || !strings.Contains(err.Error(), "not returned by Open") {
			t.Errorf("Reader.%s: %v", what, err)
		}
	}

	_, deleted := w.Delete(ID{})
	_, searched := w.AppendWithin(nil, index.Query{}, 0)
	_, inserted := w.InsertUnlessNear(ID{}, index.Query{}, 0)
	for what, err := range map[string]error{
		"Delete": deleted, "AppendWithin": searched, "InsertUnlessNear": inserted, "Insert": w.Insert(&Entries{}), "Compact": w.Compact(t.Context()), "Close": w.Close(),
	} {
		if err == nil || !strings.Contains(err.Error(), "not returned by OpenWriter") {
			t.Errorf("Writer.%s: %v", what, err)
		}
	}
	defer func() {
		if reason := recover(); reason != notOpened {
			t.Errorf("Info: panic %v", reason)
		}
	}()
	w.Info()
}
