//go:build unix

package indexfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"simhashkit/fphash/index"
)

// Each call of the system fails once, with half of a write done or none: the error comes back, and
// what was acknowledged is there, as is all of what was not or nothing.
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
				return doPlan(d, path, 1, func(i int) {
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
				t.Errorf("call %d, %s: and then %v", at, name, err)
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

// After an error a writer takes nothing more, and says why.
func TestFailedWriterStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	d := &trappedDisk{spring: func() error { return syscall.ENOSPC }}
	if err := create(d, path, random0(), Options{K: 3}); err != nil {
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
	if err := w.Compact(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("compacted after a full disk: %v", err)
	}
	reached(t, path, 1, 1)
}

func random0() *Entries {
	e, _ := planned(1)
	return newEntries(&e.Set, false, 0)
}

// A process that is killed at a call of the system, whichever, has lost nothing that it has
// acknowledged, and nothing is there by half. Of every second write a half is done before.
// FPHASH_KILLS is the number of kills.
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
	t.Logf("%d kills, %d torn ends mended", kills, torn)
}

// What a crash leaves at the end is reported by readers, and mended by the next writer: what is
// written over it may be shorter.
func TestTornEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	d := &trappedDisk{half: true, spring: func() error { return syscall.EIO }}
	if err := create(d, path, random0(), Options{K: 3}); err != nil {
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
	d.at = d.calls + 3 // behind those that have the file grow
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
	if report, err := Verify(path); err != nil || len(report.Damage) > 0 || report.Torn == "" {
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
	if report, err := Verify(path); err != nil || len(report.Damage) > 0 || report.Torn != "" {
		t.Errorf("mended, Verify: %+v, %v", report, err)
	}
}
