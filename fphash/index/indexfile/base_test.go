package indexfile

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"simhashkit/fphash/index"
)

// A file whose tables have keys of several blocks, as older versions have made, is scanned, and
// Compact makes tables of the current form.
func TestTablesOfOlderVersions(t *testing.T) {
	const n = 20_000
	r := rand.New(rand.NewPCG(3, 9))
	e := newEntries(&index.Set{Bits: 64}, false, n)
	for i := range uint64(n) {
		e.add(ID{Number: i}, []uint64{r.Uint64()})
	}
	path := filepath.Join(t.TempDir(), "a.index")
	if err := Create(context.Background(), path, e, Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	search := func(structure string) (all []Match) {
		t.Helper()
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if info, err := r.Info(); err != nil || info.Structure != structure {
			t.Errorf("%s, %v, expected %s", info.Structure, err, structure)
		}
		for i := range uint64(100) {
			q := index.Query{Words: []uint64{e.Words[i*7] ^ i}}
			if all, err = r.AppendWithin(all, q, 3); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	want := search("tables-4")
	for at, number := range map[int]uint32{44: 2, 48: 4} { // header of more blocks in a key, and of others
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint32(data[at:], number)
		if err := os.WriteFile(path, mended(data), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := search("scan"); !slices.Equal(got, want) {
			t.Errorf("%d matches, expected %d", len(got), len(want))
		}
		w, err := OpenWriter(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Compact(context.Background()); err != nil {
			t.Error(err)
		}
		w.Close()
		if got := search("tables-4"); !slices.Equal(got, want) {
			t.Errorf("compacted: %d matches, expected %d", len(got), len(want))
		}
	}
}
