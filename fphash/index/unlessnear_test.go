package index

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"simhashkit/fphash"
)

// InsertUnlessNear gives the same answer as a search of all fingerprints, and inserts if there is
// no match, while others delete and levels merge.
func TestInsertUnlessNear(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(41, 1))
	x, err := New(64, "", 3)
	if err != nil {
		t.Fatal(err)
	}
	x.mostOnCaller = 64 // larger merges run in the background
	kept := map[uint64]uint64{}
	for id := range uint64(3000) {
		w := r.Uint64()
		if id%2 == 0 {
			w &= 0x3ff
		}
		want := 0
		for _, other := range kept {
			if fphash.Distance64(w, other) <= 3 {
				want++
			}
		}
		near, err := x.InsertUnlessNear(id, Query{Words: []uint64{w}}, 3)
		if err != nil || len(near) != want {
			t.Fatalf("%d: %v, %v, expected %d matches", id, near, err, want)
		}
		for i, m := range near {
			if fphash.Distance64(w, kept[m.ID]) != m.Distance || i > 0 && near[i-1].Position >= m.Position {
				t.Fatalf("%d: match %v", id, m)
			}
		}
		if want == 0 {
			kept[id] = w
		}
		if id%5 == 4 {
			for other := range kept {
				x.Delete(other)
				delete(kept, other)
				break
			}
		}
	}
	if n := x.Snapshot().Len(); n != len(kept) {
		t.Errorf("%d fingerprints, expected %d", n, len(kept))
	}
}

// Of goroutines that insert near fingerprints at the same time, one does.
func TestOneOfManyInserts(t *testing.T) {
	t.Parallel()
	x, err := New(64, "", 3)
	if err != nil {
		t.Fatal(err)
	}
	x.mostOnCaller = 4
	r := rand.New(rand.NewPCG(42, 1))
	const rounds, together = 300, 8
	for round := range uint64(rounds) {
		centre := r.Uint64()
		var all sync.WaitGroup
		for i := range uint64(together) {
			all.Go(func() {
				if _, err := x.InsertUnlessNear(round*together+i, Query{Words: []uint64{centre ^ 1<<(8*i)}}, 3); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := x.Snapshot().Len(); n != int(round)+1 {
			t.Fatalf("round %d: %d fingerprints, expected one of each round", round, n)
		}
	}
}

// The fingerprint is copied, and errors change nothing.
func TestInsertUnlessNearErrors(t *testing.T) {
	x, err := New(60, "", 3)
	if err != nil {
		t.Fatal(err)
	}
	words := []uint64{1 << 40}
	if near, err := x.InsertUnlessNear(7, Query{Words: words}, 3); err != nil || len(near) > 0 {
		t.Fatal(near, err)
	}
	words[0] = 0
	if near, err := x.InsertUnlessNear(8, Query{Words: []uint64{1<<40 | 1}}, 3); err != nil || len(near) != 1 || near[0].ID != 7 {
		t.Fatalf("%v, %v: expected the first fingerprint", near, err)
	}
	_, far := x.InsertUnlessNear(9, Query{Words: []uint64{5}}, 4)
	_, wide := x.InsertUnlessNear(9, Query{Words: []uint64{1 << 61}}, 0)
	_, defined := x.InsertUnlessNear(9, Query{Words: []uint64{5}, Definition: "md5,le64,60"}, 0)
	_, known := x.InsertUnlessNear(7, Query{Words: []uint64{1<<60 - 1}}, 3)
	if !errors.Is(far, ErrQuery) || !errors.Is(wide, ErrQuery) || !errors.Is(defined, fphash.ErrMismatch) || known == nil {
		t.Errorf("%v, %v, %v, %v", far, wide, defined, known)
	}
	if n := x.Snapshot().Len(); n != 1 {
		t.Errorf("%d fingerprints, expected 1", n)
	}
}
