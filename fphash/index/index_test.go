package index

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"simhashkit/fphash"
	"simhashkit/fphash/index/internal/search"
	"simhashkit/internal/testing/long"
)

// stored is a fingerprint in a model of an index, which keeps fingerprints in order of insertion.
type stored struct {
	id    uint64
	words []uint64
}

type model []stored

func (m model) has(id uint64) bool {
	return slices.ContainsFunc(m, func(s stored) bool { return s.id == id })
}

// matches returns the matches of a query at any distance. Positions count only existing
// fingerprints.
func (m model) matches(width int, q Query) (matches []Match) {
	for i, s := range m {
		if q.Allow == nil || q.Allow(s.id) {
			d := distanceOracle(width, q.Words, s.words)
			matches = append(matches, Match{s.id, i, d})
		}
	}
	return matches
}

// operations runs a program of operations on an index and on a model, and compares them after each
// operation or at the end. Merges of more than mostOnCaller entries run in the background, and end
// at random times between operations.
func operations(t *testing.T, width int, o options, mostOnCaller int, program []byte, each bool) {
	x, err := newIndex(width, "", o)
	if err != nil {
		t.Fatal(err)
	}
	x.mostOnCaller = mostOnCaller
	merges := stepMerges(x)
	defer merges.finish()
	r := rand.New(rand.NewPCG(19, uint64(len(program))))
	var m model
	var kept []keptAnswer
	for i, op := range program {
		n := int(op>>2)%16 + 1
		switch op % 4 {
		case 0, 1:
			m = insertSome(t, r, x, m, n*n)
		case 2:
			m = deleteSome(t, r, x, m, n*n)
		case 3:
			m = replaceSome(t, r, x, m, n)
		}
		switch r.IntN(6) {
		case 0, 1:
			merges.next()
		case 2:
			merges.finish()
		}
		if each || i == len(program)-1 {
			compareModel(t, r, x, m, o.k)
		}
		kept = append(kept, keepAnswer(t, r, x, m))
	}
	for i, k := range kept {
		if got, err := k.view.AppendWithin(nil, k.query, k.view.MaxK()); err != nil || !slices.Equal(got, k.matches) {
			t.Fatalf("snapshot %d finds %s in the end, %v, expected %s as before", i, show(got), err, show(k.matches))
		}
	}
}

// keptAnswer is what a snapshot found, and must find as long as it exists.
type keptAnswer struct {
	view    *Snapshot
	query   Query
	matches []Match
}

// keepAnswer queries near one of the fingerprints, with the largest distance.
func keepAnswer(t *testing.T, r *rand.Rand, x *Index, m model) keptAnswer {
	q := Query{Words: randomWords(r, x.width)}
	if len(m) > 0 {
		q.Words = m[r.IntN(len(m))].words
	}
	view := x.Snapshot()
	matches, err := view.AppendWithin(nil, q, view.MaxK())
	if want := within(m.matches(x.width, q), view.MaxK()); err != nil || len(matches) != len(want) {
		t.Fatalf("%d matches, %v, expected %d", len(matches), err, len(want))
	}
	return keptAnswer{view, q, matches}
}

// insertSome inserts fingerprints, some near existing ones and some with deleted ids, and then
// tries to insert one again.
func insertSome(t *testing.T, r *rand.Rand, x *Index, m model, n int) model {
	set := &Set{Bits: x.width}
	for range n {
		s := stored{id: r.Uint64N(2000), words: randomWords(r, x.width)}
		if len(m) > 0 && r.IntN(3) > 0 {
			s.words = changed(r, x.width, m[r.IntN(len(m))].words, r.IntN(4))
		}
		if m.has(s.id) {
			continue
		}
		m = append(m, s)
		set.IDs, set.Words = append(set.IDs, s.id), append(set.Words, s.words...)
	}
	if err := x.Insert(set); err != nil {
		t.Fatal(err)
	}
	if len(m) > 0 {
		again := m[r.IntN(len(m))]
		ids := []uint64{5000, 5001, 5002}
		ids[r.IntN(len(ids))] = again.id
		twice := &Set{Bits: x.width, IDs: ids, Words: slices.Repeat(again.words, len(ids))}
		if err := x.Insert(twice); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("id %d is already in the index", again.id)) {
			t.Fatalf("error %v, expected one of id %d", err, again.id)
		}
	}
	clear(set.Words) // the index has copies
	return m
}

// deleteSome deletes fingerprints, one of them twice, and an unknown id.
func deleteSome(t *testing.T, r *rand.Rand, x *Index, m model, n int) model {
	ids := []uint64{6000}
	left := slices.Clone(m)
	for range min(n, len(m)) {
		i := r.IntN(len(left))
		ids = append(ids, left[i].id)
		left = slices.Delete(left, i, i+1)
	}
	if deleted, err := x.Delete(append(ids, ids...)...); err != nil || deleted != len(m)-len(left) {
		t.Fatalf("%d deleted, %v, expected %d", deleted, err, len(m)-len(left))
	}
	return left
}

// replaceSome replaces the fingerprints of existing and new ids.
func replaceSome(t *testing.T, r *rand.Rand, x *Index, m model, n int) model {
	for range n {
		s := stored{id: r.Uint64N(2000), words: randomWords(r, x.width)}
		if len(m) > 0 && r.IntN(3) > 0 {
			s.id = m[r.IntN(len(m))].id
		}
		words := slices.Clone(s.words)
		deleted, err := x.Delete(s.id)
		if err != nil || (deleted == 1) != m.has(s.id) {
			t.Fatalf("%d deleted, %v, expected %v", deleted, err, m.has(s.id))
		}
		if err := x.Insert(&Set{Bits: x.width, IDs: []uint64{s.id}, Words: words}); err != nil {
			t.Fatal(err)
		}
		clear(words) // the index has a copy
		m = slices.DeleteFunc(slices.Clone(m), func(old stored) bool { return old.id == s.id })
		m = append(m, s)
	}
	return m
}

// compareModel compares the results of the index with the model.
func compareModel(t *testing.T, r *rand.Rand, x *Index, m model, largest int) {
	t.Helper()
	view := x.Snapshot()
	rank := map[int]int{} // by position
	for i := range view.levels {
		l := &view.levels[i]
		for j := range l.set.Len() {
			if !l.dead.has(j) {
				rank[l.start+j] = len(rank)
			}
		}
	}
	if view.Len() != len(m) || len(rank) != len(m) {
		t.Fatalf("%d fingerprints, expected %d", view.Len(), len(m))
	}
	set := &Set{Bits: x.width}
	for _, s := range m {
		set.Words = append(set.Words, s.words...)
	}
	for id := range uint64(2000) {
		if view.Has(id) != m.has(id) {
			t.Fatalf("id %d: found %v, expected %v", id, view.Has(id), m.has(id))
		}
	}
	queries := queriesFor(r, set, 7, largest)
	var oracle [][]Match
	for _, q := range queries {
		oracle = append(oracle, m.matches(x.width, q))
	}
	for k := range largest + 1 {
		for i, q := range queries {
			want := within(oracle[i], k)
			one, err := x.Snapshot().AppendWithin(nil, q, k)
			if err != nil || !slices.Equal(ranked(one, rank), want) {
				t.Fatalf("%s, %v, expected %s", show(one), err, show(want))
			}
			for _, match := range one {
				if !slices.Equal(view.At(match.Position), m[rank[match.Position]].words) {
					t.Fatalf("wrong fingerprint at position %d", match.Position)
				}
			}
		}
	}
	for i, q := range queries[:3] {
		n := 1 + r.IntN(20)
		want := slices.Clone(oracle[i])
		slices.SortStableFunc(want, func(a, b Match) int { return a.Distance - b.Distance })
		want = want[:min(n, len(want))]
		if got, err := x.Snapshot().Nearest(q, n); err != nil || !slices.Equal(ranked(got, rank), want) {
			t.Fatalf("the %d nearest: %s, %v, expected %s", n, show(got), err, show(want))
		}
	}
}

// ranked returns matches with positions that count only fingerprints that are not deleted.
func ranked(matches []Match, rank map[int]int) []Match {
	matches = slices.Clone(matches)
	for i := range matches {
		matches[i].Position = rank[matches[i].Position]
	}
	return matches
}

// programs returns programs of operations: growing inserts, deletes of nearly everything, and a
// mixture.
func programs() (list [][]byte) {
	list = append(list, []byte{60, 60, 56, 40, 4, 0, 0, 0, 0, 0, 4, 62, 62, 62, 0}, []byte{0, 2, 0, 6, 4, 0}, []byte{188, 60, 188, 62, 188, 132})
	r := rand.New(rand.NewPCG(20, 21))
	for range 6 {
		program := make([]byte, 25)
		for i := range program {
			program[i] = byte(r.Uint32())
		}
		list = append(list, program)
	}
	return list
}

// TestIndex compares programs of operations with the model, for several structures of levels, and
// with merges on the caller and in the background. A short run omits every second program, in turn
// for different structures.
func TestIndex(t *testing.T) {
	for turn, c := range []struct {
		width        int
		mostOnCaller int
		o            options
	}{
		{64, 1000, options{k: 3}},
		{64, 40, options{k: 3, design: search.Design{Blocks: 4}}},
		{64, 4, options{k: 3, design: search.Design{Blocks: 2, Errors: 1}}},
		{64, 400, options{k: 2}},
		{100, 0, options{k: 4, design: search.Design{Blocks: 5}}},
		{128, 100, options{k: 1, design: search.Design{Blocks: 2}}},
	} {
		for i, program := range programs() {
			if (turn+i)%2 == 1 && !long.Enabled() {
				continue
			}
			t.Run(fmt.Sprintf("%d bits/%v/%d", c.width, c.o.design, i), func(t *testing.T) {
				t.Parallel()
				operations(t, c.width, c.o, c.mostOnCaller, program, true)
			})
		}
	}
}

// FuzzIndex runs short programs of small operations, many per second. TestIndex has long ones.
func FuzzIndex(f *testing.F) {
	for _, program := range programs() {
		f.Add(program)
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		small := slices.Clone(program[:min(len(program), 6)])
		for i := range small {
			small[i] &= 0b1000_1111 // up to 4 × 4 fingerprints
		}
		operations(t, 64, options{k: 3, design: search.Design{Blocks: 4}}, len(program)%8, small, false)
	})
}

// TestIndexLevels checks that there are few levels and that deleted fingerprints are eventually
// removed.
func TestIndexLevels(t *testing.T) {
	x, err := New(64, "", 3)
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
		t.Errorf("%d entries, %d deleted entries in memory; expected 10 entries, and no more deleted ones", s.Len(), deleted())
	}
}

// TestIndexReaders reads while one goroutine inserts groups of fingerprints and another deletes
// them. Every snapshot must have groups whole or not at all, and find what it has.
func TestIndexReaders(t *testing.T) {
	x, err := newIndex(64, "", options{k: 3, design: search.Design{Blocks: 4}})
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

// TestIndexMisuse checks that invalid calls are refused and do not change the index.
func TestIndexMisuse(t *testing.T) {
	if _, err := New(0, "", 0); err == nil {
		t.Error("an index of 0 bits")
	}
	if _, err := New(128, "", 129); err == nil {
		t.Error("an index of 128 bits for distances up to 129")
	}
	x, err := New(64, "a", 3)
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
	if _, err := x.Snapshot().AppendWithin(nil, Query{Words: []uint64{1}, Definition: "a"}, 4); !errors.Is(err, ErrQuery) {
		t.Errorf("error %v, expected ErrQuery", err)
	}
	if _, err := x.Snapshot().AppendWithin(nil, Query{Words: []uint64{1, 2}, Definition: "a"}, 3); !errors.Is(err, ErrQuery) {
		t.Errorf("error %v, expected ErrQuery", err)
	}
	if _, err := x.Snapshot().Nearest(Query{Definition: "a"}, 1); !errors.Is(err, ErrQuery) {
		t.Errorf("error %v, expected ErrQuery", err)
	}
	if x.Snapshot().Len() != 3 {
		t.Errorf("%d fingerprints, expected 3", x.Snapshot().Len())
	}
}
