package indexfile

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"simhashkit/fphash/index"
	"simhashkit/internal/testing/long"
)

// small makes a file of about 2 KB with all parts: a base with tables, batches, and zeros after
// them.
func small(t testing.TB, path string) *model {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	m := newModel()
	e := random(r, 64, 10, 0, true)
	if err := Create(context.Background(), path, e, Options{K: 1, Texts: true}); err != nil {
		t.Fatal(err)
	}
	m.insert(e)
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i := range 3 {
		e := random(r, 64, 4, uint64(100+10*i), true)
		if err := w.Insert(e); err != nil {
			t.Fatal(err)
		}
		m.insert(e)
		id := ID{Text: fmt.Sprintf("id %d", i)}
		if _, err := w.Delete(id); err != nil {
			t.Fatal(err)
		}
		delete(m.entries, id)
	}
	return m
}

// Verify saves the entries in good blocks and good batches, including batches after damaged ones.
func TestSalvage(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.index")
	r := rand.New(rand.NewPCG(7, 7))
	e := random(r, 64, 200000, 0, false)
	for i := range e.Words { // random, so that there are tables
		e.Words[i] = mix(uint64(i))
	}
	if err := Create(context.Background(), path, e, Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	var ends []int64
	for i := range uint64(3) {
		if err := w.Insert(random(r, 64, 5, 900_000+10*i, false)); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, w.held.end)
	}
	w.Close()
	whole, _ := os.ReadFile(path)
	h, err := readHeader(w.held.file(t, path), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	words, _ := h.find(sectionWords, 0)
	for name, c := range map[string]struct {
		at                       int64
		saved, lost, lostBatches int
	}{
		"a block of fingerprints": {words.Offset + 100, 200015 - 8192, 8192, 0},
		"a block of tables":       {h.dataTo - 1, 200015, 0, 0},
		"a batch":                 {ends[0] + 60, 200010, 0, 1},
		"the last batch":          {ends[1] + 60, 200010, 0, 1},
		"a checksum of blocks":    {h.dataTo, 200015 - 8192, 8192, 0},
	} {
		damaged := slices.Clone(whole)
		damaged[c.at] ^= 0x10
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(folder, name)
		report, err := Verify(context.Background(), path, to)
		if err != nil || len(report.Damage) == 0 {
			t.Errorf("%s: %+v, %v", name, report, err)
			continue
		}
		near := func(a, b int) bool { return a-b <= 64 && b-a <= 64 } // blocks can split entries
		if !near(report.Saved, c.saved) || !near(report.Lost, c.lost) || report.LostBatches != c.lostBatches {
			t.Errorf("%s: %d saved, %d lost and %d batches, expected %d, %d and %d", name, report.Saved, report.Lost, report.LostBatches, c.saved, c.lost, c.lostBatches)
		}
		saved, err := Open(to)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if info, _ := saved.Info(); info.Entries != report.Saved {
			t.Errorf("%s: %d entries in the new file, expected %d", name, info.Entries, report.Saved)
		}
		saved.Close()
	}
}

func (c *contents) file(t *testing.T, path string) *os.File {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// If a file is truncated during use by a reader, the reader returns an error and does not crash.
func TestCutOffUnderAReader(t *testing.T) {
	if !littleEndian {
		t.Skip("the reader uses copies")
	}
	path := filepath.Join(t.TempDir(), "a.index")
	e := random(rand.New(rand.NewPCG(7, 7)), 64, 40000, 0, false)
	if err := Create(context.Background(), path, e, Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := os.Truncate(path, 1000); err != nil {
		t.Fatal(err)
	}
	if _, err := r.AppendWithin(nil, e.Query(0), 3); !errors.Is(err, errChanged) {
		t.Errorf("a query: %v", err)
	}
	if err := eachEntry(r, func(ID, []uint64) bool { return true }); !errors.Is(err, errChanged) {
		t.Errorf("All: %v", err)
	}
	if _, err := r.Refresh(); err == nil {
		t.Error("Refresh does not detect the change")
	}
}

// An incomplete batch that is followed by a good one is damage, and no writer removes anything.
func TestDamageIsNotTakenForACrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	r := rand.New(rand.NewPCG(7, 7))
	if err := Create(context.Background(), path, newEntries(&index.Set{Bits: 64, Definition: definition}, false, 0), Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	begins := []int64{w.held.end}
	for i := range uint64(3) {
		if err := w.Insert(random(r, 64, 100, 1000*i, false)); err != nil {
			t.Fatal(err)
		}
		begins = append(begins, w.held.end)
	}
	w.Close()
	whole, _ := os.ReadFile(path)
	for name, c := range map[string]struct{ from, n int64 }{
		"its header":   {begins[1], 64},
		"a sector":     {(begins[1] + 1023) / 512 * 512, 512},
		"its end":      {begins[2] - 8, 8},
		"all of it":    {begins[1], begins[2] - begins[1]},
		"of the first": {begins[0], 512},
	} {
		damaged := slices.Clone(whole)
		clear(damaged[c.from : c.from+c.n])
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		var damage *Damage
		if _, err := Open(path); !errors.As(err, &damage) || !strings.Contains(err.Error(), "after it is good") {
			t.Errorf("without %s: %v", name, err)
		}
		if w, err := OpenWriter(path); !errors.As(err, &damage) {
			t.Errorf("without %s, a writer: %v", name, err)
			w.Close()
		}
		if now, _ := os.ReadFile(path); !slices.Equal(now, damaged) {
			t.Errorf("without %s: the file was changed", name)
		}
		if report, err := Verify(context.Background(), path, ""); err != nil || report.Saved != 200 || report.LostBatches != 1 {
			t.Errorf("without %s, Verify: %+v, %v", name, report, err)
		}
	}
}

// agrees reports whether a file has the content of the model, and finds it.
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
	if err := eachEntry(r, func(id ID, words []uint64) bool {
		e, ok := m.entries[id]
		same = same && ok && slices.Equal(words, e)
		n++
		return true
	}); err != nil {
		return false, info.Torn, err
	}
	for _, id := range m.ids()[:2] {
		q := index.Query{Words: m.entries[id], Definition: info.Definition}
		got, err := r.AppendWithin(nil, q, 1)
		if err != nil {
			return false, info.Torn, err
		}
		same = same && slices.Equal(got, m.within(q, 1))
	}
	return same && n == len(m.entries), info.Torn, nil
}

// Any changed byte, and any truncation, is either an error or harmless, and Verify agrees. With
// FPHASH_CORRUPTIONS=255, each byte is changed to every other value.
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
				t.Errorf("after the changes were undone: %v", err)
			}
		})
	}
	all.Wait()
	t.Logf("%d bytes, %d changes detected, %d harmless", len(whole), detected[0]+detected[1], harmless[0]+harmless[1])
	for n := len(whole) - 1; n >= 0; n-- {
		if err := os.Truncate(path, int64(n)); err != nil {
			t.Fatal(err)
		}
		if IsFile(path) != (n > 0) {
			t.Fatalf("cut off after %d bytes: IsFile(path) = %v", n, IsFile(path))
		}
		_, _, err := m.agrees(path)
		if err != nil && len(strings.Fields(err.Error())) > 25 {
			t.Fatalf("cut off after %d bytes: a message of %d words: %v", n, len(strings.Fields(err.Error())), err)
		}
		report, verr := Verify(context.Background(), path, "")
		if err == nil || verr == nil && len(report.Damage) == 0 {
			t.Fatalf("cut off after %d bytes of %d: %v; Verify: %+v, %v", n, len(whole), err, report, verr)
		}
		if w, err := OpenWriter(path); err == nil {
			w.Close()
			t.Fatalf("cut off after %d bytes of %d: a writer accepts it", n, len(whole))
		}
	}
}

// corrupted changes byte i of a file several times. It returns how many of these changes were
// detected and how many are harmless.
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
			t.Errorf("byte %d ^ %#x: wrong contents, but no error (torn: %q)", i, flip, torn)
		}
		var report *Report
		var verr error
		if v < 3 {
			if report, verr = Verify(context.Background(), path, ""); err != nil && verr == nil && len(report.Damage) == 0 {
				t.Errorf("byte %d ^ %#x: %v, which Verify does not detect: %+v", i, flip, err, report)
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
