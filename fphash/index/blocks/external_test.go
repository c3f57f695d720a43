package blocks

import (
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
)

// A block on disk has the pairs that one in memory has, whatever is left of a fingerprint without
// its key, from as narrow ones as can be partitioned on.
func TestExternalIsPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, c := range []struct{ bits, k int }{
		{16, 3}, {17, 3}, {20, 3}, {21, 3}, {22, 3}, {23, 3}, {8, 1}, {15, 1}, {16, 1}, {4, 0}, {5, 0}, {64, 3}, {70, 3}, {130, 5},
	} {
		for _, design := range []index.Design{{}, {Blocks: c.k + 2, Choose: 2}} {
			if c.k == 0 && design.Choose > 0 {
				continue // leaves keys that are too short for some tables
			}
			tables, err := New(c.bits, c.k, design)
			if err != nil {
				t.Fatal(err)
			}
			for _, table := range []int{0, tables.Len() - 1} {
				set := fingerprints(r, c.bits, 200, 5)
				for i := range set.Len() {
					for j, mask := range tables.masks[table] { // one key
						set.At(i)[j] |= mask
					}
				}
				var want, got []join.Pair
				for p, err := range tables.Pairs(t.Context(), table, set.Words) {
					if err != nil {
						t.Fatal(err)
					}
					want = append(want, join.Pair{A: uint64(p.A), B: uint64(p.B), Distance: p.Distance})
				}
				x := tables.External(table, func() iter.Seq2[join.Record, error] {
					return func(yield func(join.Record, error) bool) {
						for i := range set.Len() {
							if !yield(join.Record{ID: uint64(i), Words: set.At(i)}, nil) {
								return
							}
						}
					}
				})
				x.Folder = t.TempDir()
				for p, err := range x.Pairs(t.Context()) {
					if err != nil {
						t.Fatalf("%d bits, k = %d, %v, table %d: %v", c.bits, c.k, design, table, err)
					}
					if tables.isFirst(table, set.At(int(p.A)), set.At(int(p.B))) {
						got = append(got, p)
					}
				}
				slices.SortFunc(want, comparePairs)
				slices.SortFunc(got, comparePairs)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%d bits, k = %d, %v, table %d: -want +got\n%.2000s", c.bits, c.k, design, table, diff)
				}
			}
		}
	}
}
