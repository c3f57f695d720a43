package index

import (
	"fmt"
	"maps"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"simhashkit/fphash/index/internal/search"
)

// stepper holds background merges until a test lets them end.
type stepper struct {
	x   *Index
	end chan struct{}
}

func stepMerges(x *Index) stepper {
	s := stepper{x, make(chan struct{})}
	x.beforeSwap = func() { <-s.end }
	return s
}

// next lets the running merge end, and reports whether there was one.
func (s stepper) next() bool {
	taken := func() (first *Set) {
		s.x.writer.Lock()
		defer s.x.writer.Unlock()
		if len(s.x.taken) > 0 {
			first = s.x.taken[0].set
		}
		return first
	}
	before := taken()
	if before == nil {
		return false
	}
	s.end <- struct{}{}
	for taken() == before {
		runtime.Gosched()
	}
	return true
}

// finish lets merges end until none is running.
func (s stepper) finish() {
	for s.next() {
	}
}

// content returns the 64-bit fingerprints that a snapshot finds, by id.
func content(t *testing.T, s *Snapshot) map[uint64]uint64 {
	t.Helper()
	all := map[uint64]uint64{}
	matches, err := s.AppendWithin(nil, Query{Words: []uint64{0}}, s.MaxK())
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range matches {
		if _, twice := all[m.ID]; twice {
			t.Errorf("id %d is found twice", m.ID)
		}
		if i > 0 && matches[i-1].Position >= m.Position {
			t.Errorf("position %d before %d", matches[i-1].Position, m.Position)
		}
		all[m.ID] = s.At(m.Position)[0]
	}
	if len(all) != s.Len() {
		t.Errorf("%d fingerprints are found, expected %d", len(all), s.Len())
	}
	return all
}

// ascending returns n 64-bit fingerprints that equal their ids, from the given id on.
func ascending(from, n uint64) *Set {
	set := &Set{Bits: 64}
	for id := from; id < from+n; id++ {
		set.Words, set.IDs = append(set.Words, id), append(set.IDs, id)
	}
	return set
}

// newStepped returns an index that finds all its fingerprints. Its merges of more than 4 entries
// wait for the stepper.
func newStepped(t *testing.T) (*Index, stepper) {
	t.Helper()
	x, err := New(64, "", 64)
	if err != nil {
		t.Fatal(err)
	}
	x.mostOnCaller = 4
	return x, stepMerges(x)
}

// TestWritesDuringMerge changes entries during a merge. The changes must be visible immediately and
// in the merged level, but not in older snapshots.
func TestWritesDuringMerge(t *testing.T) {
	for _, half := range []bool{false, true} { // enough deletes for another merge
		x, merges := newStepped(t)
		want := map[uint64]uint64{}
		insert := func(set *Set) {
			t.Helper()
			if err := x.Insert(set); err != nil {
				t.Fatal(err)
			}
			for i, id := range set.IDs {
				want[id] = set.Words[i]
			}
		}
		remove := func(ids ...uint64) {
			t.Helper()
			if n, err := x.Delete(ids...); n != len(ids) || err != nil {
				t.Fatalf("%d deleted, %v, expected %d", n, err, len(ids))
			}
			for _, id := range ids {
				delete(want, id)
			}
		}
		replace := func(id, words uint64) {
			t.Helper()
			remove(id)
			insert(&Set{Bits: 64, Words: []uint64{words}, IDs: []uint64{id}})
		}
		type view struct {
			*Snapshot
			content map[uint64]uint64
		}
		var views []view
		look := func(when string) {
			t.Helper()
			if got := content(t, x.Snapshot()); !maps.Equal(got, want) {
				t.Errorf("%s: %v, expected %v", when, got, want)
			}
			views = append(views, view{x.Snapshot(), maps.Clone(want)})
		}

		insert(ascending(0, 5000))
		remove(3, 63, 64, 4999) // deleted before the merge begins
		look("before the merge")
		insert(ascending(5000, 4000))
		if len(x.taken) != 2 {
			t.Fatalf("%d levels are taken, expected 2", len(x.taken))
		}
		look("during the merge")
		remove(0, 62, 65, 4095, 4096, 4998, 5000, 8999)
		replace(2, 77)
		replace(5001, 78)
		remove(4097)
		insert(&Set{Bits: 64, Words: []uint64{79, 80}, IDs: []uint64{4097, 3}})
		if half {
			for id := uint64(100); id < 4000; id += 3 {
				remove(id, id+1)
			}
			for id := uint64(6000); id < 8900; id += 3 {
				remove(id, id+2)
			}
		}
		if err := x.Insert(ascending(4500, 1)); err == nil || !strings.Contains(err.Error(), "id 4500 is already in the index") {
			t.Errorf("error %v, expected one of id 4500", err)
		}
		look("changed during the merge")
		if merges.next(); len(x.Snapshot().levels) > 4 {
			t.Errorf("%d levels after the merge, expected at most 4", len(x.Snapshot().levels))
		}
		look("after the merge")
		merges.finish()
		look("after all merges")
		if first := x.Snapshot().levels[0]; half && (first.dead.len() > first.set.Len()/2) {
			t.Errorf("%d of %d are dead, expected at most half", first.dead.len(), first.set.Len())
		}
		for i, v := range views {
			if got := content(t, v.Snapshot); !maps.Equal(got, v.content) {
				t.Errorf("snapshot %d has changed", i)
			}
		}
	}
}

// TestInsertDoesNotWait inserts and deletes thousands of entries during a merge. Small levels that
// are not part of the merge are merged meanwhile.
func TestInsertDoesNotWait(t *testing.T) {
	x, merges := newStepped(t)
	x.mostOnCaller = 100
	for from := uint64(0); from < 8000; from += 4000 {
		if err := x.Insert(ascending(from, 4000)); err != nil {
			t.Fatal(err)
		}
	}
	for id := uint64(8000); id < 10000; id++ {
		if err := x.Insert(ascending(id, 1)); err != nil {
			t.Fatal(err)
		}
		if id%2 == 0 {
			if _, err := x.Delete(id, id-8000); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(x.taken) != 2 || x.taken[0].set.Len() != 4000 {
		t.Error("the first merge has ended, expected it to be held")
	}
	if n := len(x.Snapshot().levels); n > 60 {
		t.Errorf("%d levels, expected at most 60", n)
	}
	merges.finish()
	if n := len(x.Snapshot().levels); n > 8 {
		t.Errorf("%d levels after all merges, expected at most 8", n)
	}
	if n := len(content(t, x.Snapshot())); n != 10000-2000 {
		t.Errorf("%d fingerprints, expected 8000", n)
	}
}

// TestSettle checks that Settle returns when no merge is running and none is needed.
func TestSettle(t *testing.T) {
	x, merges := newStepped(t)
	x.Settle()
	for i := range uint64(20) {
		if err := x.Insert(ascending(5000*i, 100*(i+1))); err != nil {
			t.Fatal(err)
		}
	}
	settled := make(chan struct{})
	go func() {
		x.Settle()
		close(settled)
	}()
	for merges.next() {
		select {
		case <-settled:
			if x.writer.Lock(); x.taken != nil {
				t.Error("Settle has returned during a merge")
			}
			x.writer.Unlock()
		default:
		}
	}
	<-settled
	if from, to := nextMerge(x.Snapshot().levels, 0, math.MaxInt); from < to {
		t.Errorf("levels %d to %d are not merged", from, to)
	}
}

// TestLargestLevel checks that merges do not exceed the maximum size of a level.
func TestLargestLevel(t *testing.T) {
	x, err := New(64, "", 64)
	if err != nil {
		t.Fatal(err)
	}
	x.mostOnCaller, x.mostInLevel = 10, 100
	for i := range uint64(20) {
		if err := x.Insert(ascending(30*i, 30)); err != nil {
			t.Fatal(err)
		}
		x.Settle()
	}
	for _, l := range x.Snapshot().levels {
		if n := l.set.Len(); n > 100 {
			t.Errorf("a level of %d fingerprints, expected at most 100", n)
		}
	}
	if n := len(content(t, x.Snapshot())); n != 600 {
		t.Errorf("%d fingerprints, expected 600", n)
	}
}

// TestLargeInserts inserts large sets that share ids in several goroutines, while others insert and
// delete single ids. At most one insert of each id may succeed.
func TestLargeInserts(t *testing.T) {
	x, err := New(64, "", 64)
	if err != nil {
		t.Fatal(err)
	}
	x.mostOnCaller = 50
	const starts = 40
	inserted := make([]error, starts)
	var all sync.WaitGroup
	for i := range uint64(starts) {
		all.Go(func() { inserted[i] = x.Insert(ascending(60*i, 80)) })
		all.Go(func() {
			id := 100_000 + i
			if err := x.Insert(ascending(id, 1)); err != nil {
				t.Error(err)
			}
			if n, err := x.Delete(id); n != 1 || err != nil {
				t.Errorf("%d deleted, %v, expected 1", n, err)
			}
		})
	}
	all.Wait()
	x.Settle()
	want := map[uint64]uint64{}
	for i := range uint64(starts) {
		if inserted[i] != nil {
			says := inserted[i].Error()
			before := i > 0 && inserted[i-1] == nil && strings.Contains(says, fmt.Sprintf("id %d is already in the index", 60*i))
			behind := i+1 < starts && inserted[i+1] == nil && strings.Contains(says, fmt.Sprintf("id %d is already in the index", 60*i+60))
			if !before && !behind {
				t.Errorf("error %q, expected an id of an adjacent set that is in the index", says)
			}
			continue
		}
		for id := 60 * i; id < 60*i+80; id++ {
			if _, twice := want[id]; twice {
				t.Fatalf("id %d was inserted twice", id)
			}
			want[id] = id
		}
	}
	if got := content(t, x.Snapshot()); !maps.Equal(got, want) {
		t.Errorf("%d fingerprints, expected %d", len(got), len(want))
	}
}

// TestLargeInsertChecksAgain inserts an id while a large insert with the same id waits for the
// lock, after it has looked for the id.
func TestLargeInsertChecksAgain(t *testing.T) {
	x, merges := newStepped(t)
	defer merges.finish()
	failed := make(chan error)
	x.writer.Lock()
	go func() { failed <- x.Insert(ascending(0, 1000)) }()
	time.Sleep(20 * time.Millisecond)
	x.publish([]level{{set: ascending(700, 1)}}, 0)
	x.writer.Unlock()
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "id 700 is already in the index") {
		t.Errorf("error %v, expected one of id 700", err)
	}
}

// A large level has tables, with which a query takes a fraction of the time of a scan.
func TestLargeLevelsHaveTables(t *testing.T) {
	x, err := New(64, "", 3)
	if err != nil {
		t.Fatal(err)
	}
	set := ascending(0, 20_000)
	for i := range set.Words {
		set.Words[i] *= 0x9e3779b97f4a7c15
	}
	if err := x.Insert(set); err != nil {
		t.Fatal(err)
	}
	if d := x.Snapshot().levels[0].structure.Design(); d != (search.Design{Blocks: 4}) {
		t.Errorf("%s, expected tables of 4 blocks", d)
	}
}
