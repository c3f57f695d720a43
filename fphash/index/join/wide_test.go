package join

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"simhashkit/fphash/index"
	"simhashkit/internal/testing/long"
)

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
