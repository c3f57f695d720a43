package dedup

import (
	"slices"
	"testing"
)

// Examples are spread over the distances from what is kept, the nearest and the farthest among
// them.
func TestExamples(t *testing.T) {
	records := &Records{Name: "x"}
	records.Set.Bits = 64
	add := func(f uint64) { records.Add([]byte("r"), []uint64{f}, true) }
	add(0)
	for d, n := range map[int]int{0: 500, 1: 30, 2: 3, 3: 1} {
		for range n {
			add(1<<d - 1)
		}
	}
	for i := range 100 {
		add((uint64(i) + 7) * 0x9e3779b97f4a7c15) // unrelated
	}
	r, err := Find(t.Context(), records, Options{Spec: Spec{K: 3, By: Components}})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int][]int{0: nil, 1: {3}, 2: {0, 3}, 4: {0, 1, 2, 3}, 7: {0, 0, 1, 1, 2, 2, 3}, 10: {0, 0, 0, 1, 1, 1, 2, 2, 2, 3}} {
		var distances []int
		for _, e := range r.Examples(n) {
			distances = append(distances, e.Distance)
			if got := records.Set.Distance(e.Dropped, &records.Set, e.Kept); got != e.Distance || e.Kept != 0 {
				t.Errorf("%+v: distance %d", e, got)
			}
		}
		if !slices.Equal(distances, want) {
			t.Errorf("%d examples: distances %v, want %v", n, distances, want)
		}
	}
	all := r.Examples(10_000)
	seen := map[int]bool{}
	for _, e := range all {
		seen[e.Dropped] = true
	}
	if len(seen) != r.Dropped() {
		t.Errorf("%d of %d dropped records", len(seen), r.Dropped())
	}
	if !slices.Equal(r.Examples(7), r.Examples(7)) {
		t.Error("other examples in another run")
	}
}
