package indexfile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"simhashkit/fphash/index"
	"simhashkit/internal/testing/long"
)

// agrees reports whether all that a file holds and finds is as in the model.
func (m *model) agrees(path string) (same bool, torn string, err error) {
	r, err := Open(path)
	if err != nil {
		return false, "", err
	}
	defer r.Close()
	info, err := r.Info()
	if err != nil {
		return false, "", err
	}
	same, n := true, 0
	if err := r.All(func(id ID, words []uint64) bool {
		e, ok := m.entries[id]
		same = same && ok && slices.Equal(words, e)
		n++
		return true
	}); err != nil {
		return false, info.Torn, err
	}
	for _, id := range m.ids()[:2] {
		q := index.Query{Words: m.entries[id], Definition: r.Set().Definition}
		got, err := r.AppendWithin(nil, q, 1)
		if err != nil {
			return false, info.Torn, err
		}
		same = same && slices.Equal(got, m.within(q, 1))
	}
	return same && n == len(m.entries), info.Torn, nil
}

// Whatever becomes of a byte, and wherever a file is cut off: that is an error, or harmless, and
// Verify says so too. FPHASH_CORRUPTIONS=255 has every byte become every other.
func TestEveryCorruption(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.index")
	m := small(t, path)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(whole) > 3072 {
		t.Errorf("the file has %d bytes, expected about 2 KB", len(whole))
	}
	const parts = 2
	var all sync.WaitGroup
	var harmless, detected [parts]int
	for part := range parts {
		path := filepath.Join(folder, fmt.Sprint(part))
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			for i := part; i < len(whole) && !t.Failed(); i += parts {
				found, passed := m.corrupted(t, path, whole[i], i)
				detected[part] += found
				harmless[part] += passed
			}
			if same, _, err := m.agrees(path); err != nil || !same {
				t.Errorf("undone: %v", err)
			}
		})
	}
	all.Wait()
	t.Logf("%d bytes, %d changes detected, %d harmless", len(whole), detected[0]+detected[1], harmless[0]+harmless[1])
	for n := len(whole) - 1; n >= 0; n-- {
		if err := os.Truncate(path, int64(n)); err != nil {
			t.Fatal(err)
		}
		_, _, err := m.agrees(path)
		report, verr := Verify(path)
		if err == nil || verr == nil && len(report.Damage) == 0 {
			t.Fatalf("cut off after %d bytes of %d: %v; Verify: %+v, %v", n, len(whole), err, report, verr)
		}
		if w, err := OpenWriter(path); err == nil {
			w.Close()
			t.Fatalf("cut off after %d bytes of %d: a writer takes it", n, len(whole))
		}
	}
}

// corrupted has byte i of a file become others, and returns how many of these changes were detected
// and how many are harmless.
func (m *model) corrupted(t *testing.T, path string, was byte, i int) (detected, harmless int) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Error(err)
		return 0, 0
	}
	defer f.Close()
	defer f.WriteAt([]byte{was}, int64(i))
	usual := 1
	if long.Enabled() {
		usual = 3
	}
	values := count("FPHASH_CORRUPTIONS", usual)
	for v := range values {
		flip := byte(v + 1)
		if values < 255 {
			flip = []byte{1 << (i % 8), 0xff, 0x80>>(i%7) | 1}[v%3]
		}
		f.WriteAt([]byte{was ^ flip}, int64(i))
		same, torn, err := m.agrees(path)
		if err == nil && !same {
			t.Errorf("byte %d ^ %#x: other contents, and no error (torn: %q)", i, flip, torn)
		}
		var report *Report
		var verr error
		if v < 3 {
			if report, verr = Verify(path); err != nil && verr == nil && len(report.Damage) == 0 {
				t.Errorf("byte %d ^ %#x: %v, which Verify does not see: %+v", i, flip, err, report)
			}
		}
		if err != nil || torn != "" || report != nil && len(report.Damage) > 0 {
			detected++
		} else {
			harmless++
		}
	}
	return detected, harmless
}
