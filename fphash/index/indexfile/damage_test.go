package indexfile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simhashkit/fphash/index"
)

// small makes a file of about 2 KB with everything in it: a base with tables, batches, and room
// behind them.
func small(t testing.TB, path string) *model {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	m := newModel()
	e := random(r, 64, 10, 0, true)
	if err := Create(path, e, Options{K: 1, Texts: true}); err != nil {
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

// Salvage saves what is in good blocks and in good batches, those behind damaged ones too.
func TestSalvage(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.index")
	r := rand.New(rand.NewPCG(7, 7))
	e := random(r, 64, 200000, 0, false)
	for i := range e.Words { // all over, so that there are tables
		e.Words[i] = mix(uint64(i))
	}
	if err := Create(path, e, Options{K: 3}); err != nil {
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
		"a block of fingerprints": {words.offset + 100, 200015 - 8192, 8192, 0},
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
		report, err := Salvage(path, to)
		if err != nil || len(report.Damage) == 0 {
			t.Errorf("%s: %+v, %v", name, report, err)
			continue
		}
		near := func(a, b int) bool { return a-b <= 64 && b-a <= 64 } // blocks begin in the header's shadow
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

// A file that is cut off under a reader is an error, and no crash.
func TestCutOffUnderAReader(t *testing.T) {
	if !littleEndian {
		t.Skip("what is used here are copies")
	}
	path := filepath.Join(t.TempDir(), "a.index")
	e := random(rand.New(rand.NewPCG(7, 7)), 64, 40000, 0, false)
	if err := Create(path, e, Options{K: 3}); err != nil {
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
	if _, err := r.AppendWithin(nil, e.Query(0), 3); !errors.Is(err, ErrChanged) {
		t.Errorf("a query: %v", err)
	}
	if err := r.All(func(ID, []uint64) bool { return true }); !errors.Is(err, ErrChanged) {
		t.Errorf("all of it: %v", err)
	}
	if _, err := r.Refresh(); err == nil {
		t.Error("refreshed, and nobody sees it")
	}
}

// A batch that looks as if the system had stopped while it wrote it, but for a good one behind it,
// is damage, and no writer takes anything away.
func TestDamageIsNotTakenForACrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	r := rand.New(rand.NewPCG(7, 7))
	if err := Create(path, newEntries(&index.Set{Bits: 64, Definition: definition}, false, 0), Options{K: 3}); err != nil {
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
		if _, err := Open(path); !errors.As(err, &damage) || !strings.Contains(err.Error(), "behind it is good") {
			t.Errorf("without %s: %v", name, err)
		}
		if w, err := OpenWriter(path); !errors.As(err, &damage) {
			t.Errorf("without %s, a writer: %v", name, err)
			w.Close()
		}
		if now, _ := os.ReadFile(path); !slices.Equal(now, damaged) {
			t.Errorf("without %s: the file was changed", name)
		}
		if report, err := Verify(path); err != nil || report.Saved != 200 || report.LostBatches != 1 {
			t.Errorf("without %s, Verify: %+v, %v", name, report, err)
		}
	}
}
