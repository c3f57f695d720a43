package dedup

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets"
)

// keptOracle returns which records are kept, by the definition: records come in the order of their
// values, the first of equal ones first.
func keptOracle(fingerprints []uint64, values []float64, near func(a, b int) bool, by string) []bool {
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
			kept[i] = !slices.ContainsFunc(order[:n], func(other int) bool { return kept[other] && near(i, other) })
			continue
		}
		if kept[i] = !seen[i]; !kept[i] {
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

// What is kept is what the definition says, by chains and without, and among verified pairs.
func TestPreferred(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 30 {
		n := 300
		fingerprints, values := make([]uint64, n), make([]float64, n)
		records := &Records{Name: "test", Vectors: new(datasets.CSR[float64])}
		records.Set.Bits = 64
		for i := range fingerprints {
			fingerprints[i] = 1<<random.IntN(20) | 1<<random.IntN(20) | 1<<random.IntN(20)
			values[i] = float64(random.IntN(6))
			informative := random.IntN(10) > 0
			records.Add(nil, []uint64{fingerprints[i]}, informative)
			if !informative {
				fingerprints[i] = ^uint64(0) << (i % 2 * 32) // like no other
			}
			if err := records.Vectors.Append(&datasets.Row[float64]{Indices: []uint64{0, 1}, Weights: []float64{1, random.Float64()}}); err != nil {
				t.Fatal(err)
			}
		}
		asked := 0
		prefer := &Preference{Values: func(_ context.Context, list []uint64, take func(uint64, []byte) error) (err error) {
			if !slices.IsSorted(list) {
				t.Errorf("records %v, expected them to ascend", list)
			}
			asked = len(list)
			for _, record := range list {
				err = errors.Join(err, take(record, valueText(values[record])))
			}
			return err
		}}
		for _, by := range Ways() {
			for _, cosine := range []float64{0, 0.9} {
				options := Options{K: 1, By: by, Prefer: prefer}
				verify, err := NewVectors(records, nil, Measure{Kind: Cosine, Least: cosine})
				if err != nil {
					t.Fatal(err)
				}
				if cosine > 0 {
					options.By, options.Verify = First, verify
				}
				r, err := Find(t.Context(), records, options)
				if err != nil {
					t.Fatal(err)
				}
				has := map[int]int{}
				for position := range records.Set.Len() {
					has[records.record(uint32(position))] = position
				}
				alike := func(a, b int) bool {
					_, ok, _ := verify.Compare(uint64(a), uint64(b))
					return ok
				}
				near := func(a, b int) bool {
					at, okA := has[a]
					to, okB := has[b]
					return okA && okB && records.Set.Distance(at, &records.Set, to) <= 1 && (cosine == 0 || alike(a, b))
				}
				want := keptOracle(fingerprints, values, near, options.By)
				got := slices.Repeat([]bool{true}, n)
				for record, position := range has {
					got[record] = !r.IsDropped(position)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("round %d, %s, cosine %v: -want +got\n%s", round, by, cosine, diff)
				}
				if asked == 0 || r.Dropped() == 0 {
					t.Fatalf("%d values asked for, %d dropped: expected some", asked, r.Dropped())
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
		if _, err := Find(t.Context(), records, Options{K: 1, Prefer: &Preference{Values: values}}); err == nil {
			t.Error("no error")
		}
	}
}
