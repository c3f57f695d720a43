//go:build unix

package indexfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/fphash/index"
	"simhashkit/internal/disk"
)

// Each system call fails once, with half of a write done or nothing. The error is returned,
// acknowledged changes are in the file, and other changes are in the file completely or not at all.
func TestEveryCallFailsOnce(t *testing.T) {
	const operations = 11
	enough := errors.New("enough")
	for _, half := range []bool{false, true} {
		seen := map[string]bool{}
		for at := 1; ; at++ {
			path := filepath.Join(t.TempDir(), "a.index")
			d := &trappedDisk{at: at, half: half, lazy: true, spring: func() error { return &os.PathError{Op: "test", Path: "a.index", Err: syscall.EIO} }}
			acked := -1
			err := func() (err error) {
				defer func() {
					if p := recover(); p == enough {
						err = enough
					} else if p != nil {
						panic(p)
					}
				}()
				return doPlan(d, path, 1, carryOut, func(i int) {
					if acked = i; i == operations {
						panic(enough)
					}
				})
			}()
			if err == enough {
				break // there are no more calls
			}
			name := d.names[at-1]
			seen[name] = true
			if !errors.Is(err, syscall.EIO) {
				t.Fatalf("call %d, %s: %v", at, name, err)
			}
			if acked < 0 {
				if _, err := os.Stat(path); err == nil {
					reached(t, path, 0, 0)
				}
				continue
			}
			w, err := OpenWriter(path)
			if err != nil {
				t.Fatalf("call %d, %s: %v", at, name, err)
			}
			now := reached(t, path, acked, acked+1)
			if err := carryOut(w, now+1); err != nil {
				t.Errorf("call %d, %s: next operation: %v", at, name, err)
			}
			w.Close()
		}
		for _, name := range []string{"open", "create", "write", "sync", "place", "rename", "sync folder", "stat", "read"} {
			if !seen[name] {
				t.Errorf("no %s has failed", name)
			}
		}
	}
}

// TestSteadyWriter expects an fsync after each 32 MB.
func TestSteadyWriter(t *testing.T) {
	d := &trappedDisk{lazy: true}
	f, err := d.Open(filepath.Join(t.TempDir(), "a"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, part := &steadyWriter{ctx: context.Background(), File: f}, make([]byte, 3<<20)
	for range 25 { // 75 MB at the same offset
		if n, err := w.WriteAt(part, 0); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	if diff := cmp.Diff([]string{"write", "sync", "write", "sync", "write"}, d.steps()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	failing := errors.New("failing")
	d.at, d.spring = d.calls+9, func() error { return failing } // the third fsync
	for range 8 {
		_, err = w.WriteAt(part, 0)
	}
	if !errors.Is(err, failing) {
		t.Errorf("error %v, expected the error of the fsync", err)
	}
}

// After an error, a writer refuses further changes with that error.
func TestFailedWriterStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	d := &trappedDisk{spring: func() error { return syscall.ENOSPC }}
	if err := create(context.Background(), d, path, random0(), Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	w, err := openWriter(d, path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := carryOut(w, 1); err != nil {
		t.Fatal(err)
	}
	d.at = d.calls + 1
	e, _ := planned(2)
	if err := w.Insert(e); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a full disk: %v", err)
	}
	if err := w.Insert(e); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "opened again") {
		t.Errorf("after a full disk: %v", err)
	}
	if err := w.Compact(context.Background()); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("compacted after a full disk: %v", err)
	}
	reached(t, path, 1, 1)
}

func random0() *Entries {
	e, _ := planned(1)
	return newEntries(&e.Set, false, 0)
}

// A process that is killed at any system call loses no acknowledged changes, and leaves no change
// half done. Half of every second write is done before the kill. FPHASH_KILLS is the number of
// kills.
func TestKills(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	acked, torn, kills := 0, 0, count("FPHASH_KILLS", 10)
	for i := range kills {
		c := startChild(t, path, acked+1, 1+i*37%199, i%2 == 1, false)
		<-c.ended
		last, failed := c.state()
		c.end()
		if failed != "" {
			t.Fatal(failed)
		}
		if _, err := os.Stat(path); err != nil && last == 0 {
			continue // killed before there was a file
		}
		w, err := OpenWriter(path)
		if err != nil {
			t.Fatalf("kill %d: %v", i, err)
		}
		if w.Torn() != "" {
			torn++
		}
		w.Close()
		acked = reached(t, path, last, last+1)
		if acked > 1000 {
			os.Remove(path)
			acked = 0
		}
	}
	t.Logf("%d kills, %d torn ends removed", kills, torn)
}

// Readers report an incomplete end left by a crash, and the next writer removes it, because later
// writes over it may be shorter.
func TestTornEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	d := &trappedDisk{half: true, spring: func() error { return syscall.EIO }}
	if err := create(context.Background(), d, path, random0(), Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	w, err := openWriter(d, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := carryOut(w, 1); err != nil {
		t.Fatal(err)
	}
	large := newEntries(&index.Set{Bits: 64}, false, 0)
	for i := range uint64(3000) {
		large.add(ID{Number: 1 << 40 * (i + 1)}, []uint64{mix(i)})
	}
	d.at = d.calls + 3 // after the calls that grow the file
	if err := w.Insert(large); !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	w.Close()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := r.Info(); err != nil || !strings.Contains(info.Torn, "never acknowledged") {
		t.Errorf("a reader: %+v, %v", info, err)
	}
	r.Close()
	reached(t, path, 1, 1)
	if report, err := Verify(context.Background(), path, ""); err != nil || len(report.Damage) > 0 || report.Torn == "" {
		t.Errorf("Verify: %+v, %v", report, err)
	}
	w, err = OpenWriter(path)
	if err != nil || !strings.Contains(w.Torn(), "never acknowledged") {
		t.Fatalf("a writer: %q, %v", w.Torn(), err)
	}
	if err := carryOut(w, 2); err != nil {
		t.Fatal(err)
	}
	w.Close()
	reached(t, path, 2, 2)
	if report, err := Verify(context.Background(), path, ""); err != nil || len(report.Damage) > 0 || report.Torn != "" {
		t.Errorf("after the repair, Verify: %+v, %v", report, err)
	}
}

// steps returns the calls since the last call of steps that make data durable, without repetitions.
func (d *trappedDisk) steps() []string {
	list := slices.DeleteFunc(d.names, func(name string) bool {
		return !slices.Contains([]string{"write", "sync", "rename", "place", "sync folder"}, name)
	})
	d.names = nil
	return slices.Compact(list)
}

// Data is on disk before the next step depends on it, and before a call returns: the content before
// its name, zeros before a batch overwrites them, and read data before more is written after it.
func TestStepsToTheDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	d := &trappedDisk{lazy: true}
	var w *Writer
	open := func() (err error) {
		w, err = openWriter(d, path)
		return err
	}
	carryOut := func(i int) func() error { return func() error { return carryOut(w, i) } }
	large := random0()
	for i := range uint64(3 * sectorBytes) {
		large.add(ID{Number: 1<<40 + i}, []uint64{i})
	}
	for _, c := range []struct {
		what string
		do   func() error
		want []string
	}{
		{"create", func() error { return create(context.Background(), d, path, random0(), Options{K: 3}) }, []string{"write", "sync", "place", "sync folder"}},
		{"open", open, []string{"sync"}},
		{"insert", carryOut(1), []string{"write", "sync"}},
		{"insert more than there is room for", func() error { return w.Insert(large) }, []string{"write", "sync", "write", "sync"}},
		{"delete", carryOut(3), []string{"write", "sync"}},
		{"compact", func() error { return w.Compact(context.Background()) }, []string{"write", "sync", "rename", "sync folder"}},
		{"compact while others write", func() error {
			d.at, d.spring = d.calls+6, func() error {
				if name := d.lastName(); name != "sync" {
					t.Errorf("other changes are written before %q, expected the first sync", name)
				}
				return carryOut(4)()
			}
			return w.Compact(context.Background())
		}, []string{
			"write", "sync", // all entries
			"write", "sync", "write", "sync", // the log of the old file grows and gets a batch
			"write", "sync", "write", "sync", // so does the log of the new file
			"rename", "sync folder",
		}},
		{"close", func() error { return w.Close() }, nil},
		{"open what a batch ends in the middle of", func() error {
			w, err := OpenWriter(path)
			if err != nil {
				return err
			}
			payload := make([]byte, 3*sectorBytes)
			end, _, err := writeFrame(w.file, payload, w.held)
			if err == nil {
				_, err = w.file.WriteAt(make([]byte, 8), end-8)
			}
			return errors.Join(err, w.Close(), open())
		}, []string{"write", "sync"}},
		{"close", func() error { return w.Close() }, nil},
	} {
		if err := c.do(); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		if diff := cmp.Diff(c.want, d.steps()); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.what, diff)
		}
	}
}

// If two processes create a file at the same time, at most one succeeds, and the file is that
// one's, whenever the second one begins.
func TestTwoMakeOneFile(t *testing.T) {
	first, second := random0(), random0()
	first.add(ID{Number: 1}, []uint64{10})
	second.add(ID{Number: 1}, []uint64{20})
	for at := 2; ; at++ { // after the first has begun
		path := filepath.Join(t.TempDir(), "a.index")
		errSecond := errors.New("the second did not begin")
		d := &trappedDisk{lazy: true, at: at, spring: func() error {
			errSecond = Create(context.Background(), path, second, Options{K: 3})
			return nil
		}}
		errFirst := create(context.Background(), d, path, first, Options{K: 3})
		if d.calls < at {
			return
		}
		want := first.Words[0]
		if errSecond == nil {
			want = second.Words[0]
		}
		if (errFirst == nil) == (errSecond == nil) {
			t.Errorf("at %s: %v and %v, expected one of them to succeed", d.names[at-1], errFirst, errSecond)
		}
		r, err := Open(path)
		if err != nil {
			t.Fatalf("at %s: %v", d.names[at-1], err)
		}
		if err := eachEntry(r, func(_ ID, words []uint64) bool {
			if words[0] != want {
				t.Errorf("at %s: the file has %d, expected %d", d.names[at-1], words[0], want)
			}
			return true
		}); err != nil {
			t.Error(err)
		}
		r.Close()
	}
}

// The lock stays with the name: a second writer is refused before and after a compaction.
func TestCompactedFileIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	if err := Create(context.Background(), path, random0(), Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if other, err := OpenWriter(path); !errors.Is(err, errBusy) {
			t.Errorf("a second writer: %v", err)
			other.Close()
		}
		if err := w.Compact(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	if w, err = OpenWriter(path); err != nil {
		t.Fatalf("after the first was closed: %v", err)
	}
	w.Close()
}

// linked creates a file, and links to it with all names that a writer might use.
func linked(t *testing.T, path string) (target string) {
	t.Helper()
	target = filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(target, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path + unfinished, path + ".new", path + ".tmp", filepath.Join(filepath.Dir(path), ".a.index.01234567"+unfinished)} {
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	return target
}

// Files are not written through links that others put in their place.
func TestLinksAreNotWrittenThrough(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	target := linked(t, path)
	w := created(t, path)
	defer w.Close()
	if err := w.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "precious" {
		t.Errorf("%q, %v", text, err)
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v, %v: expected a file", info, err)
	}
}

// created returns the writer of a new file with a few entries.
func created(t *testing.T, path string) *Writer {
	t.Helper()
	if err := Create(context.Background(), path, random0(), Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The next writer removes the temporary files of killed writers, but not those of running writers.
func TestLeftoversOfKilledWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	living, err := createLocked(disk.Real{}, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	killed, err := createLocked(disk.Real{}, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	killed.Close() // releases its lock, like a kill
	other := filepath.Join(filepath.Dir(path), ".b.index.01234567"+unfinished)
	if err := os.WriteFile(other, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	w := created(t, path)
	expectLeft(t, path, living.Name())
	living.Close()
	if err := w.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	w.Close()
	expectLeft(t, path)
	if _, err := os.Stat(other); err != nil {
		t.Errorf("temporary file of another index: %v", err)
	}
}

func expectLeft(t *testing.T, path string, want ...string) {
	t.Helper()
	if got, err := disk.ListTemp(path, unfinished); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v: expected %q", got, err, want)
	}
}

// If two create the same file, one succeeds, and the other gets an error: nothing is replaced.
func TestTwoCreateOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	d := &trappedDisk{}
	for _, place := range []int{1, 2} { // first to count the calls
		if place == 2 {
			d = &trappedDisk{at: slices.Index(d.names, "place") + 1, spring: func() error { return Create(context.Background(), path, random0(), Options{K: 3}) }}
		}
		err := create(context.Background(), d, path, newEntries(&random0().Set, false, 0), Options{K: 3})
		if (err == nil) != (place == 1) {
			t.Errorf("%d: %v", place, err)
		}
		expectLeft(t, path)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// A file behind a link is compacted in place, and keeps its permissions.
func TestCompactionKeepsLinkAndPermissions(t *testing.T) {
	path, link := filepath.Join(t.TempDir(), "a.index"), filepath.Join(t.TempDir(), "link")
	created(t, path).Close()
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(link)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil || os.SameFile(before, after) || after.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v: expected a new file with the permissions of the old one", after, err)
	}
	if to, err := os.Readlink(link); err != nil || to != path {
		t.Errorf("the link points to %q, %v", to, err)
	}
}
