package indexfile

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
)

const definition = "xxh64,le64,64,tie=zero,order=grouped"

// random returns n entries with ids from the given one on, which are near one of a few centres.
func random(r *rand.Rand, bits, n int, from uint64, texts bool) *Entries {
	e := newEntries(&index.Set{Bits: bits}, texts, n)
	if bits == 64 {
		e.Definition = definition
	}
	for i := range n {
		words := make([]uint64, e.Stride())
		centre := rand.New(rand.NewPCG(1, r.Uint64N(4)))
		for w := range words {
			words[w] = centre.Uint64()
		}
		for range r.IntN(4) {
			j := r.IntN(bits)
			words[j/64] ^= 1 << (j % 64)
		}
		if high := bits % 64; high > 0 {
			words[len(words)-1] &= 1<<high - 1
		}
		id := ID{Number: from + uint64(i)}
		if texts {
			id = ID{Text: "id " + strconv.FormatUint(from+uint64(i), 10)}
		}
		e.add(id, words)
	}
	return e
}

func TestEveryKindOfFile(t *testing.T) {
	for _, c := range []struct {
		bits, k, n int
		texts      bool
	}{
		{64, 3, 0, false}, {64, 3, 1, false}, {64, 3, 9000, false}, {64, 3, 3000, true},
		{130, 6, 2500, true}, {7, 1, 100, false}, {64, 20, 300, true},
	} {
		r := rand.New(rand.NewPCG(5, uint64(c.n)))
		path := filepath.Join(t.TempDir(), "a.index")
		m := newModel()
		e := random(r, c.bits, c.n, 10, c.texts)
		if err := Create(context.Background(), path, e, Options{K: c.k, Texts: c.texts}); err != nil {
			t.Fatal(c, err)
		}
		m.insert(e)
		look := func() {
			t.Helper()
			reader, err := Open(path)
			if err != nil {
				t.Fatal(c, err)
			}
			defer reader.Close()
			m.check(t, reader)
			for range 3 {
				q := random(r, c.bits, 1, 0, c.texts)
				m.search(t, reader, index.Query{Words: q.Words}, c.k)
				m.search(t, reader, index.Query{Words: q.Words}, r.IntN(c.k+1))
				if !c.texts {
					m.search(t, reader, index.Query{Words: q.Words, Allow: func(id uint64) bool { return id%2 == 0 }}, c.k)
				}
			}
			report, err := Verify(context.Background(), path, "")
			if err != nil || len(report.Damage) > 0 || report.Torn != "" || report.Saved != len(m.entries) || report.Lost > 0 {
				t.Errorf("%v: %+v, %v", c, report, err)
			}
		}
		look()
		w, err := OpenWriter(path)
		if err != nil {
			t.Fatal(c, err)
		}
		for round := range 4 {
			more := random(r, c.bits, 1+r.IntN(1000), uint64(100_000*(1+round)), c.texts)
			if err := w.Insert(more); err != nil {
				t.Fatal(c, err)
			}
			m.insert(more)
			var drop []ID
			for _, id := range m.ids() {
				if r.IntN(5) == 0 {
					drop = append(drop, id)
				}
			}
			n, err := w.Delete(append(drop, ID{Text: "none", Number: 7})...)
			if err != nil || n != len(drop) {
				t.Errorf("%v: %d deleted, %v, expected %d", c, n, err, len(drop))
			}
			for _, id := range drop {
				delete(m.entries, id)
			}
			look()
			if round == 2 {
				if err := w.Compact(context.Background()); err != nil {
					t.Fatal(c, err)
				}
				look()
			}
		}
		if err := w.Close(); err != nil {
			t.Error(c, err)
		}
		look()
	}
}

func TestReaderRefreshes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	r := rand.New(rand.NewPCG(1, 2))
	m := newModel()
	e := random(r, 64, 100, 0, false)
	if err := Create(context.Background(), path, e, Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	m.insert(e)
	reader, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i := range 20 {
		before := m.ids()
		more := random(r, 64, 20, uint64(1000*(i+1)), false)
		if err := w.Insert(more); err != nil {
			t.Fatal(err)
		}
		if info, _ := reader.Info(); info.Entries != len(before) {
			t.Errorf("round %d: %d entries before Refresh, expected %d", i, info.Entries, len(before))
		}
		m.insert(more)
		if _, err := w.Delete(before[i]); err != nil {
			t.Fatal(err)
		}
		delete(m.entries, before[i])
		if i%10 == 9 {
			if err := w.Compact(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if changed, err := reader.Refresh(); err != nil || !changed {
			t.Fatalf("round %d: changed %v, %v", i, changed, err)
		}
		m.check(t, reader)
		m.search(t, reader, index.Query{Words: more.At(0)}, 3)
	}
	if changed, err := reader.Refresh(); err != nil || changed {
		t.Errorf("without changes: changed %v, %v", changed, err)
	}
}

func TestRefused(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.index")
	r := rand.New(rand.NewPCG(1, 2))
	e := random(r, 64, 10, 0, false)
	if err := Create(context.Background(), path, e, Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	if err := Create(context.Background(), path, e, Options{K: 3}); !errors.Is(err, os.ErrExist) {
		t.Errorf("existing file: %v", err)
	}
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := OpenWriter(path); !errors.Is(err, errBusy) || !strings.Contains(err.Error(), "another Writer of this one") {
		t.Errorf("a second writer: %v", err)
	}
	other := random(r, 64, 10, 100, false)
	other.Definition = "md5,le64,64,tie=zero,order=grouped"
	if err := w.Insert(other); !errors.Is(err, fphash.ErrMismatch) || !strings.Contains(err.Error(), other.Definition) || !strings.Contains(err.Error(), definition) {
		t.Errorf("another definition: %v", err)
	}
	if err := w.Check(random(r, 64, 10, 200, false)); err != nil {
		t.Errorf("new entries: %v", err)
	}
	twice := random(r, 64, 10, 9, false)
	if err := w.Check(twice); err == nil || !strings.Contains(err.Error(), "id 9 is already in the index") || !strings.Contains(err.Error(), path) {
		t.Errorf("existing id: %v", err)
	}
	if err := w.Insert(twice); err == nil || !strings.Contains(err.Error(), "id 9 is already in the index") {
		t.Errorf("existing id: %v", err)
	}
	for name, e := range map[string]*Entries{
		"texts":     random(r, 64, 2, 50, true),
		"width":     random(r, 63, 2, 50, false),
		"id twice":  {Set: index.Set{Bits: 64, Words: []uint64{1, 2}, IDs: []uint64{70, 70}}},
		"ids short": {Set: index.Set{Bits: 64, Words: []uint64{1, 2}, IDs: []uint64{70}}},
	} {
		err, checked := w.Insert(e), w.Check(e)
		if err == nil || checked == nil || err.Error() != checked.Error() {
			t.Errorf("%s: error %v, and %v by Check", name, err, checked)
		}
	}
	reader, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for _, k := range []int{-1, 4} {
		_, err := reader.AppendWithin(nil, index.Query{Words: []uint64{1}, Definition: definition}, k)
		if !errors.Is(err, index.ErrQuery) {
			t.Errorf("k = %d: %v", k, err)
		}
	}
	if w.Info().Entries != 10 {
		t.Errorf("%d entries, expected 10", w.Info().Entries)
	}
	text := filepath.Join(folder, "text")
	if err := os.WriteFile(text, []byte("00ff00ff00ff00ff\tid\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	newer, _ := os.ReadFile(path)
	newer[8] = 9
	if err := os.WriteFile(filepath.Join(folder, "newer"), newer, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "empty"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"text": "not an index file", "empty": "not an index file", "newer": "version 9, expected 1", "none": "no such file", ".": "is a folder",
	} {
		path := filepath.Join(folder, name)
		_, err := Open(path)
		_, werr := OpenWriter(path)
		_, verr := Verify(context.Background(), path, "")
		for _, err := range []error{err, werr, verr} {
			if err == nil || !strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), "is a directory") || !strings.Contains(err.Error(), folder) {
				t.Errorf("%s: %v, expected %q", name, err, want)
			}
		}
	}
}
