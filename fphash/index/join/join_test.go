package join

import (
	"context"
	"fmt"
	"testing"
)

func collect(t *testing.T, j *Join) map[Pair]int {
	t.Helper()
	got := map[Pair]int{}
	for p, err := range j.Pairs(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		got[p]++
	}
	return got
}

// Joins find what comparing all with all finds, on every kind of set and at every width.
func TestPairs(t *testing.T) {
	for _, width := range []int{8, 32, 63, 64, 65, 100, 128, 256} {
		for _, n := range []int{0, 1, 2, 40, 200} {
			for name, s := range sets(width, n, newRandom(uint64(width*1000+n))) {
				for _, k := range []int{0, 1, 3, 8, 20, width} {
					if testing.Short() && (k == 1 || k == 20) {
						continue
					}
					t.Run(fmt.Sprint(width, n, name, k), func(t *testing.T) {
						j := &Join{Set: s, K: k, Workers: 2}
						hold(t, pairsOracle(j), collect(t, j))
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
			hold(t, pairsOracle(j), collect(t, j))
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
					hold(t, pairsOracle(j), collect(t, j))
				})
			}
		}
	}
}
