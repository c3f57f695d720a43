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

// keptOracle returns which records are kept, by the definition: records come in the order of their
// values, the first of equal ones first. Old ones are kept.
func keptOracle(fingerprints []uint64, values []float64, old int, near func(a, b int) bool, by string) []bool {
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
		if by == First {
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

// valueText returns a value that is beyond the precision of a float64; 0 is none.
func valueText(value float64) []byte {
	if value == 0 {
		return nil
	}
	return fmt.Appendf(nil, "1844674407370955161%v/3", value)
}

// What is kept is what the definition says, by chains and without. Old records come before all
// others, and nobody asks for their values.
func TestPreferred(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 30 {
		const n = 300
		old := []int{0, 1, 100}[round%3]
		fingerprints, values := make([]uint64, n), make([]float64, n)
		records := &Records{Name: "test"}
		records.Set.Bits = 64
		for i := range fingerprints {
			fingerprints[i] = 1<<random.IntN(20) | 1<<random.IntN(20) | 1<<random.IntN(20)
			values[i] = float64(random.IntN(6))
			records.Add(nil, []uint64{fingerprints[i]}, random.IntN(10) > 0)
		}
		asked := 0
		prefer := &Preference{Values: func(_ context.Context, list []uint64, take func(uint64, []byte) error) (err error) {
			if !slices.IsSorted(list) || list[0] < uint64(old) {
				t.Errorf("records %v, expected them to ascend from %d", list, old)
			}
			asked = len(list)
			for _, record := range list {
				err = errors.Join(err, take(record, valueText(values[record])))
			}
			return err
		}}
		ranks := slices.Clone(values)
		for i := range old {
			ranks[i] = float64(10 + n - i)
		}
		for _, by := range Ways() {
			r, err := Find(t.Context(), records, Options{Spec: Spec{K: 1, By: by}, Old: old, Prefer: prefer})
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
			want := keptOracle(fingerprints, ranks, old, near, by)
			got := slices.Repeat([]bool{true}, n)
			for record, position := range has {
				got[record] = !r.IsDropped(position)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("round %d, %s, %d old: -want +got\n%s", round, by, old, diff)
			}
			if asked == 0 || r.Dropped() == 0 || old > 1 && (r.DroppedForOld() == 0 || r.DroppedForOld() == r.Dropped()) {
				t.Fatalf("%d values asked for, %d dropped, %d for old ones", asked, r.Dropped(), r.DroppedForOld())
			}
			for i := range r.Groups.Len() {
				for _, m := range r.Groups.Members(i) {
					if r.Groups.canonical[m] != r.Groups.Members(i)[0] {
						t.Fatalf("group %d: a member is not of its first", i)
					}
				}
			}
		}
	}
}

// An error of the values ends it, as does a number of them that is wrong.
func TestPreferenceThatFails(t *testing.T) {
	broken := errors.New("broken")
	for _, values := range []Reread{
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
		if _, err := Find(t.Context(), records, Options{Spec: Spec{K: 1}, Prefer: &Preference{Values: values}}); err == nil {
			t.Error("no error")
		}
	}
}
