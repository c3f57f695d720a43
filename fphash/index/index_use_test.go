package index

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"simhashkit/fphash"
)

// TestIndexLevels holds that levels stay few and that what is deleted does not stay for ever.
func TestIndexLevels(t *testing.T) {
	x, err := New(64, "", Options{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(22, 23))
	for i := range uint64(3000) {
		if err := x.Insert(&Set{Bits: 64, Words: []uint64{r.Uint64()}, IDs: []uint64{i}}); err != nil {
			t.Fatal(err)
		}
	}
	deleted := func() (n int) {
		for _, l := range x.Snapshot().levels {
			n += l.dead.len()
		}
		return n
	}
	if s := x.Snapshot(); s.Len() != 3000 || deleted() != 0 || len(s.levels) > 7 {
		t.Errorf("%d entries, %d deleted, in %d levels; expected 3000 entries in at most 7 levels", s.Len(), deleted(), len(s.levels))
	}
	for i := range uint64(2990) {
		if _, err := x.Delete(i); err != nil {
			t.Fatal(err)
		}
	}
	if s := x.Snapshot(); s.Len() != 10 || deleted() > 10 {
		t.Errorf("%d entries, %d deleted that are kept; expected 10 entries, and no more deleted ones", s.Len(), deleted())
	}
}

// TestIndexReaders has readers at work while one inserts and another deletes: every snapshot has
// groups of fingerprints whole or not at all, and finds what it has.
func TestIndexReaders(t *testing.T) {
	x, err := New(64, "", Options{K: 3, Structure: "blocks", scanless: true})
	if err != nil {
		t.Fatal(err)
	}
	const groups, members = 60, 9
	centre := func(g int) []uint64 { return []uint64{uint64(g+1) * 0x9e3779b97f4a7c15} }
	var all sync.WaitGroup
	inserted := make(chan int, groups)
	all.Go(func() {
		defer close(inserted)
		for g := range groups {
			set := &Set{Bits: 64}
			for i := range members {
				set.IDs, set.Words = append(set.IDs, uint64(g*members+i)), append(set.Words, centre(g)...)
			}
			if err := x.Insert(set); err != nil {
				t.Error(err)
			}
			inserted <- g
		}
	})
	all.Go(func() {
		for g := range inserted {
			if g%2 == 0 {
				continue
			}
			var ids []uint64
			for i := range members {
				ids = append(ids, uint64(g*members+i))
			}
			if n, err := x.Delete(ids...); n != members || err != nil {
				t.Errorf("%d deleted, %v, expected %d", n, err, members)
			}
		}
	})
	for range 3 {
		all.Go(func() {
			for round := range 200 {
				g := round % groups
				view := x.Snapshot()
				first, err := view.AppendWithin(nil, Query{Words: centre(g)}, 3)
				if err != nil || len(first) != 0 && len(first) != members {
					t.Errorf("%d matches, %v, expected none or %d", len(first), err, members)
				}
				second, _ := view.AppendWithin(nil, Query{Words: centre(g)}, 3)
				if !slices.Equal(first, second) {
					t.Error("a snapshot changed")
				}
			}
		})
	}
	all.Wait()
	if n := x.Snapshot().Len(); n != groups/2*members {
		t.Errorf("%d fingerprints, expected %d", n, groups/2*members)
	}
}

// TestIndexMisuse holds what an index refuses, and that it is as before then.
func TestIndexMisuse(t *testing.T) {
	if _, err := New(0, "", Options{}); err == nil {
		t.Error("an index of 0 bits")
	}
	if _, err := New(128, "", Options{Structure: "split"}); err == nil {
		t.Error("an index of 128 bits in halves")
	}
	x, err := New(64, "a", Options{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	must := func(set *Set) {
		t.Helper()
		if err := x.Insert(set); err != nil {
			t.Fatal(err)
		}
	}
	must(&Set{Bits: 64, Words: []uint64{1, 2}, Definition: "a"})
	must(&Set{Bits: 64, Words: []uint64{1}, IDs: []uint64{7}, Definition: "a"})
	for _, set := range []*Set{
		{Bits: 64, Words: []uint64{3}, IDs: []uint64{8}, Definition: "b"},
		{Bits: 64, Words: []uint64{3}, IDs: []uint64{8}}, // unknown
		{Bits: 32, Words: []uint64{3}, IDs: []uint64{8}, Definition: "a"},
	} {
		if err := x.Insert(set); !errors.Is(err, fphash.ErrMismatch) {
			t.Errorf("error %v, expected fphash.ErrMismatch", err)
		}
	}
	if err := x.Insert(&Set{Bits: 64, Words: []uint64{3, 3}, IDs: []uint64{8, 8}, Definition: "a"}); err == nil {
		t.Error("an id twice in one set, expected an error")
	}
	if _, err := x.Snapshot().AppendWithin(nil, Query{Words: []uint64{1}, Definition: "a"}, 4); !errors.Is(err, ErrDistance) {
		t.Errorf("error %v, expected ErrDistance", err)
	}
	if _, err := x.Snapshot().AppendWithinBatch(nil, []Query{{Words: []uint64{1, 2}, Definition: "a"}}, 3); !errors.Is(err, ErrQuery) {
		t.Errorf("error %v, expected ErrQuery", err)
	}
	if _, err := x.Snapshot().Nearest(Query{Definition: "a"}, 1); !errors.Is(err, ErrQuery) {
		t.Errorf("error %v, expected ErrQuery", err)
	}
	if _, err := x.Snapshot().Within(Query{Definition: "a"}, 1); !errors.Is(err, ErrQuery) {
		t.Errorf("error %v, expected ErrQuery", err)
	}
	if x.Snapshot().Len() != 3 {
		t.Errorf("%d fingerprints, expected 3", x.Snapshot().Len())
	}
}

// TestCollect holds that an index goes round: out of one as a stream, and into another.
func TestCollect(t *testing.T) {
	x, _ := New(100, "", Options{K: 3})
	set := newShape(rand.New(rand.NewPCG(24, 25)), shapes[0], 100, 50)
	if err := x.Insert(set); err != nil {
		t.Fatal(err)
	}
	got, err := Collect(100, x.Snapshot().All())
	if err != nil || !slices.Equal(got.IDs, set.IDs) || !slices.Equal(got.Words, set.Words) {
		t.Errorf("%d fingerprints, %v, expected those inserted", got.Len(), err)
	}
	wide := func(yield func(uint64, fphash.Fingerprint) bool) { yield(3, make(fphash.Fingerprint, 3)) }
	if _, err := Collect(100, wide); err == nil || !strings.Contains(err.Error(), "id 3: 3 words, expected the 2 of 100 bits") {
		t.Errorf("error %v, expected one of id 3", err)
	}
}
