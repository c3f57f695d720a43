package join

import (
	"fmt"
	"testing"

	"simhashkit/fphash/index"
)

// A join on disk by drawn bits finds the pairs that one of its tables brings together, each once,
// whatever part of a partition is in memory; and so do its groups.
func TestExternalSampled(t *testing.T) {
	for _, width := range []int{64, 100, 256} {
		r := newRandom(uint64(width) + 4)
		k := width/4 + 1 // no blocks of four bits
		for name, s := range map[string]*index.Set{
			"spread": spreadSet(width, size(1500, 3000), k+3, r),
			"copies": joined(repeated(spreadSet(width, 20, k+1, r), 30), spreadSet(width, 600, k+1, r)),
		} {
			for _, memory := range []int64{0, 1} {
				t.Run(fmt.Sprint(width, name, memory), func(t *testing.T) {
					x := &External{Bits: width, K: k, Differ: 0.12, Recall: 0.8, Seed: 5, Source: source(s), Workers: 2, Memory: memory, Folder: t.TempDir()}
					p, err := x.Plan(t.Context())
					if err != nil || p.Tables == 0 || p.Errors > 0 {
						t.Fatalf("%+v, %v; expected tables by drawn bits", p, err)
					}
					j := &Join{Set: s, K: k}
					want, got := found(j, &p), map[Pair]int{}
					for pair, err := range x.Pairs(t.Context()) {
						if err != nil {
							t.Fatal(err)
						}
						got[pair]++
					}
					hold(t, want, got)
					holdSampledGroups(t, x, j, want)
				})
			}
		}
	}
}

// holdSampledGroups checks that the groups have all pairs, and no others than those within K: a
// crowded bucket is joined as a whole, so that groups may have pairs that no table reports.
func holdSampledGroups(t *testing.T, x *External, j *Join, pairs map[Pair]int) {
	t.Helper()
	groups, members, err := x.Groups(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	exact := newForest(j.Set.Len())
	for pair := range pairsOracle(j) {
		exact.union(uint32(pair.A), uint32(pair.B))
	}
	group := make([]int, j.Set.Len()) // of each fingerprint, one above its number
	for i, g := range groups.All() {
		first := uint32(members.ID(int(g.Members[0])))
		for _, m := range g.Members {
			id := uint32(members.ID(int(m)))
			if group[id] = i + 1; exact.find(id) != exact.find(first) {
				t.Fatalf("%d and %d are in one group, expected no chain of pairs within k", first, id)
			}
		}
	}
	for pair := range pairs {
		if group[pair.A] == 0 || group[pair.A] != group[pair.B] {
			t.Fatalf("%+v is in the groups %d and %d, expected one", pair, group[pair.A], group[pair.B])
		}
	}
}

// On disk, a recall is not asked for in vain: blocks serve where they cost less.
func TestExternalPlan(t *testing.T) {
	s := plantedSet(64, 4000, newRandom(5))
	x := External{Bits: 64, K: 0, Differ: 0.0001, Recall: 0.99, Source: source(s)}
	if p, err := x.Plan(t.Context()); err != nil || p.Tables != 0 || p.Blocks != 1 || p.Comparisons == 0 {
		t.Errorf("%+v, %v; expected an exact join", p, err)
	}
	x = External{Bits: 64, K: 40, Differ: 0.5, Recall: 0.999999, Source: source(s)}
	if p, err := x.Plan(t.Context()); err == nil {
		t.Errorf("%+v, expected an error: too few of the pairs asked for are within k", p)
	}
}

// What is measured on disk is what is measured in memory, if all are compared with all; of a sample
// the interval has the true share in it, in nearly as many trials as it says.
func TestExternalMeasureRecall(t *testing.T) {
	const n, trials = 3000, 40
	covered := 0
	for seed := range uint64(trials) {
		s := withIDs(spreadSet(128, n, 21, newRandom(seed)))
		found := func(a, b uint64) bool { return ((a+b)>>33*7+seed)%10 > 1 }
		x := &External{Bits: 128, K: 21, Seed: seed, Source: source(s)}
		all, err := x.MeasureRecall(t.Context(), found)
		if err != nil || all.Drawn != n || all.Low != all.High {
			t.Fatalf("%+v, %v; expected all", all, err)
		}
		pairs, hits := 0, 0
		for pair := range pairsOracle(&Join{Set: s, K: 21}) {
			if pairs += 2; found(pair.A, pair.B) {
				hits += 2
			}
		}
		if p, f := all.Of(); p != pairs || f != hits || pairs == 0 {
			t.Fatalf("%d of %d pairs found, expected %d of %d", f, p, hits, pairs)
		}
		part, err := x.measure(t.Context(), n, n/5, found)
		if err != nil || part.Drawn != n/5 {
			t.Fatalf("%+v, %v", part, err)
		}
		if share := float64(hits) / float64(pairs); part.Low <= share && share <= part.High {
			covered++
		}
	}
	if covered < 34 {
		t.Errorf("%d of %d intervals have the true share in them", covered, trials)
	}
}
