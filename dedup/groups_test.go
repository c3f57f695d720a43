package dedup

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// found returns the result of Find by components for the given fingerprints.
func found(t *testing.T, k int, ids []string, fingerprints ...uint64) *Result {
	t.Helper()
	records := &Records{Name: "test"}
	records.Set.Bits = 64
	for i, fingerprint := range fingerprints {
		var id []byte
		if ids != nil {
			id = []byte(ids[i])
		}
		records.Add(id, []uint64{fingerprint}, true)
	}
	r, err := Find(t.Context(), records, Options{Spec: Spec{K: k}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Among groups of equal size the first comes first. At most n groups are returned.
func TestLargestGroups(t *testing.T) {
	const a, b, c, d = 0xff, 0xff00, 0xff0000, 0xff000000
	groups := found(t, 1, nil, a, a, b, b, c, c, c, d, d).groups
	for n, want := range [][]int{{}, {2}, {2, 0}, {2, 0, 1}, {2, 0, 1, 3}, {2, 0, 1, 3}} {
		if diff := cmp.Diff(want, groups.largest(n)); diff != "" {
			t.Errorf("the %d largest: -want +got\n%s", n, diff)
		}
	}
}

// A group is a chain if a member is more than 2k bits from the record to keep. At 2k bits, a record
// in the middle may be within k bits of both.
func TestChains(t *testing.T) {
	for _, c := range []struct {
		fingerprints []uint64
		want         int
	}{
		{[]uint64{0, 1, 3}, 0}, {[]uint64{0, 1, 3, 7}, 1}, {[]uint64{1, 0, 3, 7}, 0}, {[]uint64{0, 1, 3, 7, 0xffff << 40, 0xffff<<40 | 1, 0xffff<<40 | 3, 0xffff<<40 | 7}, 2},
	} {
		if got := found(t, 1, nil, c.fingerprints...).groups.chains(1); got != c.want {
			t.Errorf("%x: %d chains, expected %d", c.fingerprints, got, c.want)
		}
	}
}

// SharedID counts each shared id once, if at least one record with this id has a near-duplicate.
func TestSharedID(t *testing.T) {
	r := found(t, 1, []string{"alone", "thrice", "twice", "thrice", "alone", "twice", "thrice"}, 0xff, 0, 1, 0xff00, 0xff0000, 0xff000000, 0xff00000000)
	if id, n := r.SharedID(); id != "thrice" || n != 2 {
		t.Errorf("%q and %d in all, expected thrice, and 2", id, n)
	}
	if id, n := found(t, 1, nil, 0, 1).SharedID(); id != "" || n != 0 {
		t.Errorf("record numbers are shared: %q, %d", id, n)
	}
}

// keptOracle returns which records are kept, by the definition. It takes records by descending
// value, and records of equal value in their order. Old records are kept.
func keptOracle(fingerprints []uint64, values []float64, old int, near func(a, b int) bool, first bool) []bool {
	order := make([]int, len(fingerprints))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case values[a] > values[b]:
			return -1
		case values[a] < values[b]:
			return 1
		}
		return 0
	})
	kept := make([]bool, len(fingerprints))
	seen := make([]bool, len(fingerprints))
	for n, i := range order {
		if first {
			kept[i] = i < old || !slices.ContainsFunc(order[:n], func(other int) bool { return kept[other] && near(i, other) })
			continue
		}
		if kept[i] = i < old || !seen[i]; seen[i] {
			continue
		}
		for todo := []int{i}; len(todo) > 0; { // the component
			a := todo[0]
			todo = todo[1:]
			for b := range fingerprints {
				if !seen[b] && near(a, b) {
					seen[b] = true
					todo = append(todo, b)
				}
			}
		}
	}
	return kept
}

// valueText returns a value beyond the precision of float64, or nil if value is 0.
func valueText(value float64) []byte {
	if value == 0 {
		return nil
	}
	return fmt.Appendf(nil, "1844674407370955161%v/3", value)
}

// The kept records must be those of the definition, for each way. Old records come before all
// others, and Values is not called for them.
func TestPreferred(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 30 {
		const n = 300
		old := []int{0, 1, 100}[round%3]
		fingerprints, values := make([]uint64, n), make([]float64, n)
		records := &Records{Name: "test"}
		records.Set.Bits = 64
		for i := range fingerprints {
			for range 3 {
				fingerprints[i] |= 1 << random.IntN(20)
			}
			values[i] = float64(random.IntN(6))
			records.Add(nil, []uint64{fingerprints[i]}, random.IntN(10) > 0)
		}
		asked := 0
		prefer := func(_ context.Context, list []uint64, take func(uint64, []byte) error) (err error) {
			if !slices.IsSorted(list) || list[len(list)-1] >= uint64(n-old) {
				t.Errorf("records %v, expected %d new ones at most, in ascending order", list, n-old)
			}
			asked = len(list)
			for _, record := range list {
				err = errors.Join(err, take(record, valueText(values[old+int(record)])))
			}
			return err
		}
		ranks := slices.Clone(values)
		for i := range old {
			ranks[i] = float64(10 + n - i)
		}
		for _, first := range []bool{false, true} {
			r, err := Find(t.Context(), records, Options{Spec: Spec{K: 1, First: first}, Old: old, Prefer: prefer})
			if err != nil {
				t.Fatal(err)
			}
			has := map[int]int{}
			for position := range records.Set.Len() {
				has[records.record(uint32(position))] = position
			}
			near := func(a, b int) bool {
				at, okA := has[a]
				to, okB := has[b]
				return okA && okB && records.Set.Distance(at, &records.Set, to) <= 1
			}
			want := keptOracle(fingerprints, ranks, old, near, first)
			got := slices.Repeat([]bool{true}, n)
			for record, position := range has {
				got[record] = !r.IsDropped(position)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("round %d, first %v, %d old: -want +got\n%s", round, first, old, diff)
			}
			if asked == 0 || r.Dropped() == 0 || old > 1 && (r.DroppedForOld() == 0 || r.DroppedForOld() == r.Dropped()) {
				t.Fatalf("%d values read, %d dropped, %d as duplicates of old records", asked, r.Dropped(), r.DroppedForOld())
			}
			for i := range r.groups.number() {
				for _, m := range r.groups.at(i) {
					if r.groups.canonical[m] != r.groups.at(i)[0] {
						t.Fatalf("group %d: the first member is not canonical", i)
					}
				}
			}
		}
	}
}

// Find fails if Values fails, returns too few values, or returns a value that is not a number.
func TestPreferenceThatFails(t *testing.T) {
	broken := errors.New("broken")
	for _, values := range []Reread[[]byte]{
		func(context.Context, []uint64, func(uint64, []byte) error) error { return broken },
		func(_ context.Context, _ []uint64, take func(uint64, []byte) error) error {
			return take(0, []byte("1"))
		},
		func(_ context.Context, _ []uint64, take func(uint64, []byte) error) error {
			return errors.Join(take(0, []byte("1")), take(1, []byte("one")))
		},
	} {
		records := &Records{Name: "test"}
		records.Set.Bits = 64
		for range 2 {
			records.Add(nil, []uint64{1}, true)
		}
		if _, err := Find(t.Context(), records, Options{Spec: Spec{K: 1}, Prefer: values}); err == nil {
			t.Error("no error")
		}
	}
}
