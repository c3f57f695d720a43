package join

import (
	"fmt"
	"math"
	"testing"

	"simhashkit/fphash/index"
)

// In a sample, a fingerprint is not near itself, and equal fingerprints are left out.
func TestSamplePairsLeavesOutCopies(t *testing.T) {
	s := randomSet(64, 100, newRandom(1))
	near := &index.Set{Bits: 64}
	for _, word := range s.Words {
		near.Words = append(near.Words, word^4)
	}
	for _, c := range []struct {
		set  *index.Set
		want int
	}{{s, 0}, {joined(s, s), 0}, {joined(s, near), 200}} {
		pairs := 0
		_, err := (&Join{Set: c.set, K: 3}).SamplePairs(t.Context(), func(a, b int) {
			if pairs++; max(a, b)-min(a, b) != 100 {
				t.Errorf("a pair of the positions %d and %d", a, b)
			}
		})
		if err != nil || pairs != c.want {
			t.Errorf("%d pairs, %v, expected %d", pairs, err, c.want)
		}
	}
}

// The groups of a join on disk with drawn bits have the pairs that one of its tables compares, for
// any size of the pieces of a partition.
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
					checkSampledGroups(t, x, j, found(j, &p))
				})
			}
		}
	}
}

// checkSampledGroups checks that the groups contain all pairs, and no pairs beyond K. A crowd is
// joined as a whole, so groups may contain pairs that no table reports.
func checkSampledGroups(t *testing.T, x *External, j *Join, pairs map[Pair]int) {
	t.Helper()
	groups, members, err := x.Groups(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	exact := newForest(j.Set.Len())
	for pair := range pairsOracle(j) {
		exact.union(uint32(pair.A), uint32(pair.B))
	}
	group := make([]int, j.Set.Len()) // group of each fingerprint, plus 1
	for i, g := range groups.All() {
		first := uint32(members.ID(int(g[0])))
		for _, m := range g {
			id := uint32(members.ID(int(m)))
			if group[id] = i + 1; exact.find(id) != exact.find(first) {
				t.Fatalf("%d and %d are in one group, but there is no chain of pairs within k", first, id)
			}
		}
	}
	for pair := range pairs {
		if group[pair.A] == 0 || group[pair.A] != group[pair.B] {
			t.Fatalf("%+v is in the groups %d and %d, expected one group", pair, group[pair.A], group[pair.B])
		}
	}
}

// On disk with Recall, blocks are used if they cost less.
func TestExternalPlan(t *testing.T) {
	s := plantedSet(64, 4000, newRandom(5))
	x := External{Bits: 64, K: 0, Differ: 0.0001, Recall: 0.99, Source: source(s)}
	if p, err := x.Plan(t.Context()); err != nil || p.Tables != 0 || p.Blocks != 1 || p.Comparisons == 0 {
		t.Errorf("%+v, %v; expected an exact join", p, err)
	}
	x = External{Bits: 64, K: 40, Differ: 0.5, Recall: 0.999999, Source: source(s)}
	if p, err := x.Plan(t.Context()); err == nil {
		t.Errorf("%+v, expected an error: too few of the requested pairs are within k", p)
	}
}

// If all fingerprints are in the sample, each has all its pairs, but at most four. The measurement
// is right on average over some trials.
func TestExternalSamplePairs(t *testing.T) {
	const n, trials = 3000, 40
	measured, truth := 0.0, 0.0
	for seed := range uint64(trials) {
		s := withIDs(spreadSet(128, n, 21, newRandom(seed)))
		found := func(a, b uint64) bool { return ((a+b)>>33*7+seed)%10 > 1 }
		x := &External{Bits: 128, K: 21, Seed: seed, Source: source(s)}
		of, hit := 0, 0
		count := func(a, b uint64) {
			if of++; found(a, b) {
				hit++
			}
		}
		if drawn, err := x.SamplePairs(t.Context(), count); err != nil || drawn != n {
			t.Fatalf("%d, %v; expected all", drawn, err)
		}
		pairs, hits, drawn, ofRow := 0, 0, 0, map[uint64]int{}
		for pair := range pairsOracle(&Join{Set: s, K: 21}) {
			if pairs += 2; found(pair.A, pair.B) {
				hits += 2
			}
			for _, row := range []uint64{pair.A, pair.B} {
				if pair.Distance == 0 {
					continue
				}
				if ofRow[row]++; ofRow[row] <= mostOfRow {
					drawn++
				}
			}
		}
		if of != drawn || pairs == 0 {
			t.Fatalf("%d pairs drawn, expected %d", of, drawn)
		}
		of, hit = 0, 0
		if err := x.sample(t.Context(), n, n/5, count); err != nil {
			t.Fatal(err)
		}
		measured += float64(hit) / float64(of)
		truth += float64(hits) / float64(pairs)
	}
	if math.Abs(measured-truth) > 0.03*trials {
		t.Errorf("on average %.3f, expected %.3f", measured/trials, truth/trials)
	}
}

// A large group does not fill a sample: each fingerprint has at most four pairs in it, and copies
// have none.
func TestSamplePairsOfALargeGroup(t *testing.T) {
	set, random := &index.Set{Bits: 64}, newRandom(3)
	for range 500 { // one group of near-copies
		set.Words = append(set.Words, 1<<(random.Uint64()%64))
	}
	for range 500 { // and pairs
		x := random.Uint64() | 1<<40 - 1
		set.Words = append(set.Words, x, x^1<<(random.Uint64()%64))
	}
	pairs, ofGroup := map[int]int{}, 0
	if _, err := (&Join{Set: set, K: 2}).SamplePairs(t.Context(), func(a, b int) {
		if pairs[a]++; set.At(a)[0] == set.At(b)[0] {
			t.Errorf("%d and %d are copies", a, b)
		}
		if a < 500 {
			ofGroup++
		}
	}); err != nil {
		t.Fatal(err)
	}
	for a, n := range pairs {
		if n > mostOfRow {
			t.Errorf("%d has %d pairs, want at most %d", a, n, mostOfRow)
		}
	}
	if len(pairs) < 75 || ofGroup == 0 {
		t.Errorf("%d fingerprints have pairs, %d pairs are of the group", len(pairs), ofGroup)
	}
}
