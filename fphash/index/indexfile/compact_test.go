//go:build unix

package indexfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"simhashkit/fphash/index"
)

// writesDuring returns a trap that carries out the next two operations of the plan. If a compaction
// holds the lock, they wait for it. done returns when they have ended.
func writesDuring(w *Writer, next int) (spring func() error, done func() error) {
	ended := make(chan error, 1)
	carryOutBoth := func() { ended <- errors.Join(carryOut(w, next), carryOut(w, next+1)) }
	spring = func() error {
		if w.writing.TryLock() {
			w.writing.Unlock()
			carryOutBoth()
		} else {
			go carryOutBoth()
		}
		return nil
	}
	return spring, func() error { return <-ended }
}

// planFile makes a file with the result of some operations of the plan.
func planFile(t *testing.T, d *trappedDisk, operations int) (path string, w *Writer) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.index")
	if err := create(context.Background(), d, path, random0(), Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	w, err := openWriter(d, path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= operations; i++ {
		if err := carryOut(w, i); err != nil {
			t.Fatal(err)
		}
	}
	return path, w
}

// TestWritesDuringCompaction inserts and deletes early in a compaction, and again at each later
// system call of the compaction. The writer, readers, the next writer and Verify must find these
// changes.
func TestWritesDuringCompaction(t *testing.T) {
	defer func(before bool) { opensBlockRename = before }(opensBlockRename)
	for _, opensBlockRename = range []bool{false, true} {
		for at := 3; ; at++ {
			d := &trappedDisk{lazy: true}
			path, w := planFile(t, d, 21)
			early, earlyDone := writesDuring(w, 22)
			spring, done := writesDuring(w, 24)
			d.at, d.calls = 2, 0
			sprung := false
			d.spring = func() error {
				err := errors.Join(early(), earlyDone())
				d.at, d.spring = d.calls+at-2, func() error {
					sprung = true
					return spring()
				}
				return err
			}
			if err := w.Compact(context.Background()); err != nil {
				t.Fatalf("call %d: %v", at, err)
			}
			if !sprung {
				w.Close()
				break // there are no more calls
			}
			if err := done(); err != nil {
				t.Fatalf("call %d: %v", at, err)
			}
			reached(t, path, 25, 25)
			if info := w.Info(); info.Batches > 4 || info.Compacted == 0 {
				t.Errorf("call %d: %d batches after %d compacted entries, expected at most 4", at, info.Batches, info.Compacted)
			}
			for i := 26; i < 33; i++ {
				if err := carryOut(w, i); err != nil {
					t.Fatalf("call %d: %v", at, err)
				}
			}
			w.Close()
			w, err := OpenWriter(path)
			if err != nil || w.Torn() != "" {
				t.Fatalf("call %d: %v, torn %q", at, err, w.Torn())
			}
			w.Close()
			reached(t, path, 32, 32)
			if report, err := Verify(context.Background(), path, ""); err != nil || len(report.Damage) > 0 {
				t.Errorf("call %d: %+v, %v", at, report, err)
			}
			expectLeft(t, path)
		}
	}
}

// TestFailureAfterWritesDuringCompaction lets a system call of a compaction fail after others have
// written. Acknowledged changes must be in the file.
func TestFailureAfterWritesDuringCompaction(t *testing.T) {
	kinds := map[string]bool{}
	for at := 1; ; at++ {
		for failing := at + 1; ; failing++ {
			d := &trappedDisk{lazy: true}
			path, w := planFile(t, d, 11)
			spring, done := writesDuring(w, 12)
			d.at, d.calls, d.half = at, 0, failing%2 == 0
			sprung := false
			d.spring = func() error {
				if sprung {
					kinds[d.lastName()] = true
					return &os.PathError{Op: "test", Path: "a.index", Err: syscall.EIO}
				}
				sprung = true
				err := spring()
				d.mutex.Lock()
				d.at = max(failing, d.calls+1)
				d.mutex.Unlock()
				return err
			}
			compacted := w.Compact(context.Background())
			if !sprung {
				w.Close()
				for _, kind := range []string{"write", "sync", "rename", "sync folder", "read"} {
					if !kinds[kind] {
						t.Errorf("no %s has failed", kind)
					}
				}
				return
			}
			wrote := done()
			w.Close()
			if compacted != nil && !errors.Is(compacted, syscall.EIO) || wrote != nil && !errors.Is(wrote, syscall.EIO) {
				t.Fatalf("calls %d and %d: %v and %v", at, failing, compacted, wrote)
			}
			least := 11
			if wrote == nil {
				least = 13
			}
			w, err := OpenWriter(path)
			if err != nil {
				t.Fatalf("calls %d and %d: %v", at, failing, err)
			}
			w.Close()
			reached(t, path, least, 13)
			if compacted == nil && wrote == nil {
				break // there are no more calls
			}
		}
	}
}

// Batches that wait for the disk during a compaction are in the new file, once.
func TestCompactionTakesWhatWaits(t *testing.T) {
	path, w := planFile(t, &trappedDisk{}, 0)
	defer w.Close()
	e, _ := planned(1)
	w.mutex.Lock()
	waits, err := w.insert(e)
	w.mutex.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	reached(t, path, 0, 0)
	if err := w.commit(waits); err != nil {
		t.Fatal(err)
	}
	reached(t, path, 1, 1)
	if info := w.Info(); info.Entries != e.Len() || info.Batches != 1 {
		t.Errorf("%+v, expected %d entries in a batch", info, e.Len())
	}
}

// TestCloseWaitsForCompaction closes a Writer during a compaction, which must end first.
func TestCloseWaitsForCompaction(t *testing.T) {
	d := &trappedDisk{lazy: true}
	path, w := planFile(t, d, 11)
	closed := make(chan error)
	d.at, d.calls = 3, 0
	d.spring = func() error {
		go func() { closed <- w.Close() }()
		return nil
	}
	if err := errors.Join(w.Compact(context.Background()), <-closed); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if info, err := r.Info(); err != nil || info.Batches != 0 || info.Torn != "" {
		t.Errorf("%+v, %v, expected a compacted file", info, err)
	}
	reached(t, path, 11, 11)
}

// TestIDsOfTheOtherKind looks for texts among number ids and for numbers among text ids. They must
// not be found.
func TestIDsOfTheOtherKind(t *testing.T) {
	for _, texts := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "a.index")
		e := newEntries(&index.Set{Bits: 64}, texts, 0)
		e.add(ID{}, []uint64{1}) // the number 0, or the empty text
		if err := Create(context.Background(), path, newEntries(&e.Set, texts, 0), Options{K: 3, Texts: texts}); err != nil {
			t.Fatal(err)
		}
		w, err := OpenWriter(path)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if err := w.Insert(e); err != nil {
			t.Fatal(err)
		}
		other := ID{Text: "a"}
		if texts {
			other = ID{Number: 1}
		}
		for _, where := range []string{"in the log", "compacted"} {
			if found, err := w.held.has(other); found || err != nil {
				t.Errorf("%s, texts %v: %v, %v, expected no such id", where, texts, found, err)
			}
			if n, err := w.Delete(other); n != 0 || err != nil {
				t.Errorf("%s, texts %v: %d deleted, %v, expected 0", where, texts, n, err)
			}
			if found, err := w.held.has(ID{}); !found || err != nil {
				t.Errorf("%s, texts %v: %v, %v, expected the inserted id", where, texts, found, err)
			}
			if err := w.Compact(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestNearestOfEqualDistance has more entries at one distance than requested. The order of ids
// decides, not the order of insertion, before and after a compaction.
func TestNearestOfEqualDistance(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	e, m := newEntries(&index.Set{Bits: 64}, false, 0), newModel()
	for i := range uint64(60) {
		e.add(ID{Number: i * 37 % 61}, []uint64{1<<(i%4*3) - 1})
	}
	m.insert(e)
	w := created(t, path)
	defer w.Close()
	if err := w.Insert(e); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for bits := range 12 { // also beyond the k of the file
			m.search(t, r, index.Query{Words: []uint64{1<<bits - 1}}, 3)
		}
		all := m.distances(index.Query{Words: []uint64{7}})
		slices.SortStableFunc(all, func(a, b Match) int { return a.Distance - b.Distance })
		for n := 1; n < 70; n++ {
			got, err := r.Nearest(index.Query{Words: []uint64{7}}, n)
			if want := all[:min(n, len(all))]; err != nil || !slices.Equal(got, want) {
				t.Errorf("the %d nearest: %v, %v, expected %v", n, got, err, want)
			}
		}
		r.Close()
		if err := w.Compact(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}
