package join

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"simhashkit/fphash/index"
	"simhashkit/internal/testing/long"
)

// plans returns the ways in which a join can be done: as it would be, and by blocks and keys of
// some lengths, with and without errors, however few fingerprints there are.
func plans(j *Join) (list []Plan) {
	list = append(list, j.plan())
	if j.K >= j.Set.Bits {
		return list
	}
	for _, blocks := range []int{1, j.K/3 + 1, j.K/2 + 1, j.K + 1} {
		for _, key := range []struct{ bits, first int }{{1, 1}, {4, 2}, {10, 8}, {10, 0}} {
			if key.bits > j.Set.Bits/blocks || j.K/blocks > mostErrors {
				continue
			}
			p := j.plan()
			p.byBlocks(blocks, key.bits)
			p.first, p.second = uint(key.first), uint(key.bits-key.first)
			list = append(list, p)
		}
	}
	return list
}

func collect(t *testing.T, j *Join, p Plan) map[Pair]int {
	t.Helper()
	got := map[Pair]int{}
	j.pairs(context.Background(), &p, func(p Pair, err error) bool {
		if err != nil {
			t.Fatal(err)
		}
		got[p]++
		return true
	})
	return got
}

// holdPairs fails the test unless all plans find what comparing all with all finds.
func holdPairs(t *testing.T, j *Join) {
	t.Helper()
	if err := j.check(); err != nil {
		t.Fatal(err)
	}
	want := pairsOracle(j)
	for _, p := range plans(j) {
		hold(t, want, collect(t, j, p))
	}
}

// Joins find what comparing all with all finds, on every kind of set and at every width.
func TestPairs(t *testing.T) {
	for _, width := range []int{8, 63, 64, 100, 256} {
		for _, n := range []int{0, 1, 40, 150} {
			for name, s := range sets(width, n, newRandom(uint64(width*1000+n))) {
				for _, k := range []int{0, 1, 3, 8, 20, width} {
					if !long.Enabled() && (k == 1 || k == 20) {
						continue
					}
					t.Run(fmt.Sprint(width, n, name, k), func(t *testing.T) {
						j := &Join{Set: s, K: k, Workers: 2}
						holdPairs(t, j)
					})
				}
			}
		}
	}
}

// Buckets that are cut again, once and twice, lose and double nothing.
func TestPairsOfLargeBuckets(t *testing.T) {
	for _, width := range []int{64, 128} {
		s := sameBlock(plantedSet(width, 4000, newRandom(7)), width/4)
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			j := &Join{Set: s, K: 3}
			holdPairs(t, j)
		})
	}
}

func TestPairsBetweenSets(t *testing.T) {
	for _, width := range []int{32, 64, 128} {
		r := newRandom(uint64(width))
		for name, s := range sets(width, 150, r) {
			for _, k := range []int{0, 3, 9} {
				t.Run(fmt.Sprint(width, name, k), func(t *testing.T) {
					other := joined(s, randomSet(width, 100, r))
					shuffle(other, r)
					j := &Join{Set: s, Against: other, K: k, Workers: 2}
					holdPairs(t, j)
				})
			}
		}
	}
}

// Copies are not told apart by cutting them again and again: a join of them ends, with every pair
// once.
func TestPairsOfCopies(t *testing.T) {
	n := size(1400, 2500) // cut and compared over and over, they would take minutes
	r := newRandom(9)
	halfEqual := randomSet(128, n, r) // by their windows of one block, but not by the others
	for i := range halfEqual.Len() {
		halfEqual.At(i)[0] = 7
	}
	for name, j := range map[string]*Join{
		"within":   {Set: repeated(randomSet(64, 1, r), n), K: 3},
		"wide":     {Set: repeated(randomSet(128, 1, r), n), K: 3},
		"between":  {Set: repeated(randomSet(64, 1, r), n/2), Against: repeated(randomSet(64, 1, newRandom(9)), n/2), K: 3},
		"in parts": {Set: halfEqual, K: 3},
	} {
		t.Run(name, func(t *testing.T) {
			found := 0
			for p, err := range j.Pairs(context.Background()) {
				if err != nil || p.A >= p.B && j.Against == nil {
					t.Fatal(p, err)
				}
				found++
			}
			if want := len(pairsOracle(j)); found != want {
				t.Errorf("%d pairs, expected %d", found, want)
			}
		})
	}
	if g, err := (&Join{Set: halfEqual, K: 3}).Groups(context.Background()); err != nil || g.Len() != 0 {
		t.Errorf("%v groups, expected none: %v", g, err)
	}
}

// An error of the last part is not lost, however late it comes.
func TestErrorsOfParts(t *testing.T) {
	bad := errors.New("bad")
	for range 2000 {
		c := newCrew(context.Background(), 2, 1, nil)
		s := stage{prepare: func(context.Context, int) error { return nil }, parts: 1, run: func(*worker, int, sink) error { return bad }}
		for range c.inOrder(func(yield func(stage) bool) { yield(s) }) {
		}
		if !errors.Is(c.err(), bad) {
			t.Fatalf("error %v, expected that of the part", c.err())
		}
		c.end()
	}
}

// A plan for two sets counts pairs across them alone.
func TestPlanBetweenSets(t *testing.T) {
	r := newRandom(4)
	j := &Join{Set: randomSet(64, 1, r), Against: randomSet(64, 1<<16, r), K: 3}
	p, err := j.Plan()
	if err != nil || p.Blocks != 0 || p.Pairs != 1<<16 {
		t.Errorf("%+v, %v: expected a scan of 65,536 pairs", p, err)
	}
}

// correlatedSet has fingerprints in which bits follow the bit before: runs of them are equal, as
// among texts of one topic.
func correlatedSet(width, n int, r *rand.Rand) *index.Set {
	s := plantedSet(width, n, r)
	for i := range n - n/3 {
		words := s.At(i)
		for bit := 1; bit < width; bit++ {
			if before := words[(bit-1)/64] >> ((bit - 1) % 64) & 1; r.IntN(8) > 0 {
				words[bit/64] = words[bit/64]&^(1<<(bit%64)) | before<<(bit%64)
			}
		}
	}
	return s
}

// spreadSet has a third of fingerprints that differ from another in up to that many bits.
func spreadSet(width, n, most int, r *rand.Rand) *index.Set {
	s := randomSet(width, n, r)
	for i := n - n/3; i < n; i++ {
		copy(s.At(i), s.At(r.IntN(n-n/3)))
		flip(s.At(i), width, r.IntN(most+1), r)
	}
	shuffle(s, r)
	return s
}

// Joins of wide fingerprints by blocks with errors find what comparing all with all finds, in
// several partitions and buckets of more than a few.
func TestWidePairs(t *testing.T) {
	n := size(1100, 2100)
	for _, width := range []int{64, 96, 128, 256, 1000} {
		r := newRandom(uint64(width) + 5)
		for _, k := range []int{0, 5, 14, 21, 42, 64} {
			if !long.Enabled() && (width+k)%5 > 0 || 2*k > width {
				continue
			}
			for name, s := range map[string]*index.Set{
				"spread":     spreadSet(width, n, k+k/4+1, r),
				"correlated": correlatedSet(width, n, r),
				"copies":     joined(repeated(spreadSet(width, 40, k+1, r), n/80), spreadSet(width, n/2, k+1, r)),
			} {
				t.Run(fmt.Sprint(width, " ", k, name), func(t *testing.T) {
					j := &Join{Set: s, K: k, Workers: 2}
					want := pairsOracle(j)
					for _, p := range widePlans(j) {
						hold(t, want, collect(t, j, p))
					}
				})
			}
		}
	}
}

// widePlans returns the plan of a join, and some by blocks with up to so many errors.
func widePlans(j *Join) []Plan {
	list := []Plan{j.plan()}
	for errors := range mostErrors {
		p := j.plan()
		blocks := j.K/(errors+1) + 1
		if p.byBlocks(blocks, min(9, j.Set.Bits/blocks)); p.Errors == errors {
			p.first = min(3, uint(p.KeyBits))
			p.second = uint(p.KeyBits) - p.first
			list = append(list, p)
		}
	}
	return list
}

// A plan for wide fingerprints takes blocks with errors where they cost less than a scan and than
// blocks that agree, and says so.
func TestWidePlan(t *testing.T) {
	s := &index.Set{Bits: 128, Words: make([]uint64, 2e6)}
	for k, errors := range map[int]int{3: 0, 10: 1, 21: 2} {
		p, err := (&Join{Set: s, K: k}).Plan()
		if err != nil || p.Errors != errors || p.Blocks == 0 || p.Comparisons > p.Pairs/10 {
			t.Errorf("k = %d: %+v, %v; expected blocks with %d errors", k, p, err, errors)
		}
	}
}
