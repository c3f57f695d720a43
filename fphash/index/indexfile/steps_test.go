//go:build unix

package indexfile

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// steps returns what a disk was asked for since the last time that makes something last, without
// repetitions.
func (d *trappedDisk) steps() []string {
	list := slices.DeleteFunc(d.names, func(name string) bool {
		return !slices.Contains([]string{"write", "sync", "rename", "place", "sync folder"}, name)
	})
	d.names = nil
	return slices.Compact(list)
}

// What is written is on disk before the next step stands on it, and before a call returns: the
// content before its name, zeros before a batch is written over them, what was read before more is
// written behind it.
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
		{"create", func() error { return create(d, path, random0(), Options{K: 3}) }, []string{"write", "sync", "place", "sync folder"}},
		{"open", open, []string{"sync"}},
		{"insert", carryOut(1), []string{"write", "sync"}},
		{"insert more than there is room for", func() error { return w.Insert(large) }, []string{"write", "sync", "write", "sync"}},
		{"delete", carryOut(3), []string{"write", "sync"}},
		{"compact", func() error { return w.Compact() }, []string{"write", "sync", "rename", "sync folder"}},
		{"compact while others write", func() error {
			d.at, d.spring = d.calls+6, func() error {
				if name := d.lastName(); name != "sync" {
					t.Errorf("others write before %q, expected the first sync", name)
				}
				return carryOut(4)()
			}
			return w.Compact()
		}, []string{
			"write", "sync", // all entries
			"write", "sync", "write", "sync", // the log of the old file grows, and has a batch more
			"write", "sync", "write", "sync", // so does that of the new file
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

// Of two who make a file at once no more than one says that it has, and the file is that one's,
// wherever the second comes in between.
func TestTwoMakeOneFile(t *testing.T) {
	first, second := random0(), random0()
	first.add(ID{Number: 1}, []uint64{10})
	second.add(ID{Number: 1}, []uint64{20})
	for at := 2; ; at++ { // from when the first has begun
		path := filepath.Join(t.TempDir(), "a.index")
		errSecond := errors.New("it has not begun")
		d := &trappedDisk{lazy: true, at: at, spring: func() error {
			errSecond = Create(path, second, Options{K: 3})
			return nil
		}}
		errFirst := create(d, path, first, Options{K: 3})
		if d.calls < at {
			return
		}
		want := first.Words[0]
		if errSecond == nil {
			want = second.Words[0]
		}
		if (errFirst == nil) == (errSecond == nil) {
			t.Errorf("at %s: %v and %v, expected one of them to make the file", d.names[at-1], errFirst, errSecond)
		}
		r, err := Open(path)
		if err != nil {
			t.Fatalf("at %s: %v", d.names[at-1], err)
		}
		if err := r.All(func(_ ID, words []uint64) bool {
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

// The lock goes with the name: a second writer is refused before a file is compacted and after.
func TestCompactedFileIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	if err := Create(path, random0(), Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if other, err := OpenWriter(path); !errors.Is(err, ErrBusy) {
			t.Errorf("a second writer: %v", err)
			other.Close()
		}
		if err := w.Compact(); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	if w, err = OpenWriter(path); err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	w.Close()
}
